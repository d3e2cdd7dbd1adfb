import { App } from '@app/App';
import { act, render, screen } from '@testing-library/react';
import { enterUsername, settle } from '../../../support/openApp';
import { openWith } from './openWith';
import { answers } from '../../../support/builders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const url = 'url=http%3A%2F%2Fledger.payments.localhost%3A4000%2F';

it.each([
  ['', ''],
  [`?${url}`, `?${url}`],
  [`?mode=verify&${url}`, `?${url}`],
])('from /login%s the link for a forgotten password carries %j, and never a mode', async (query, carried) => {
  const app = openWith(answers.session(), { path: `/login${query}` });
  render(<App store={app.store} config={app.deps.config} />);
  await act(() => enterUsername(app));
  await act(() => settle());
  const link = await screen.findByRole('link', { name: 'Forgot your password?' });
  expect(link).toHaveAttribute('href', `/forgot-password${carried}`);
});
