import { App } from '@app/App';
import { VaultContext } from '@shared/contexts';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { settle, type OpenApp } from './openApp';

/** A user whose keystrokes take no time, under jest's fake timers. */
export const user = userEvent.setup({
  advanceTimers: (ms) => jest.advanceTimersByTimeAsync(ms).then(() => undefined),
});

/** Waits for lazily loaded screens and pending answers. */
export const arrive = () => act(() => settle());

/** Renders the screens of an open application. */
export async function renderApp({ store, deps }: OpenApp): Promise<void> {
  render(
    <VaultContext value={deps.vault}>
      <App store={store} config={deps.config} />
    </VaultContext>,
  );
  await arrive();
}
