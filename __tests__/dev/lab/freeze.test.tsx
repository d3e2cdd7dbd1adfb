import { freeze } from '@dev/lab/freeze';
import { stateOf } from '@dev/lab/scenarios';
import type { RootState } from '@app/rootReducer';
import { sessionMessages } from '@features/session';
import { act, screen } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { testConfig } from '../../support/builders';

const given = (name: string): RootState => {
  const state = stateOf(name);
  if (!state) throw new Error(`There is no scenario ${name}`);
  return state;
};

it('shows the next state of a recording after one whose screen throws', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')), {
    onCaughtError: () => undefined,
  });
  const frozen = freeze(root, testConfig(), document);
  const move = (state: RootState) => act(() => frozen.move(state));
  const username = given('auth.signIn/username/empty');
  move(username);
  const [dialog] = given('dialogs/loginError/noMethods')['ui-dialogs'];
  // As in a recording that was changed, or is of another version.
  move({ ...username, 'ui-dialogs': [{ ...dialog, title: null }] } as unknown as RootState);
  expect(await screen.findByText(sessionMessages.fallback.message)).toBeInTheDocument();
  move(username);
  expect(screen.queryByText(sessionMessages.fallback.message)).not.toBeInTheDocument();
  expect(await screen.findByLabelText('Username')).toBeInTheDocument();
  act(() => root.unmount());
});
