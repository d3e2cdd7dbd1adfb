import { readFileSync } from 'node:fs';
import { App } from '@app/App';
import { readRecording } from '@app/lab/readRecording';
import { rootReducer } from '@app/rootReducer';
import { configureStore } from '@reduxjs/toolkit';
import { render, screen } from '@testing-library/react';
import { testConfig } from './builders';

/**
 * Takes the events of the recording beside a test (`NAME.recording.txt`) through the reducers, and compares the events and
 * the text of the screen after the last of them with its snapshot. Written by `npm run recording`.
 *
 * @param testFile - `__filename` of the test
 */
export async function expectReplayed(testFile: string): Promise<void> {
  const read = readRecording(readFileSync(testFile.replace(/\.test\.tsx$/, '.recording.txt'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  const last = read.steps.at(-1);
  if (!last) throw new Error('A recording that was read has a step');
  const store = configureStore({ reducer: rootReducer, preloadedState: last.state, devTools: false });
  render(<App store={store as never} config={testConfig()} />);
  const [heading] = await screen.findAllByRole('heading', { hidden: true });
  const text = heading?.ownerDocument.body.textContent;
  expect({ events: read.steps.map(({ type }) => type), text }).toMatchSnapshot();
}
