import { fireEvent, screen } from '@testing-library/react';
import { answers } from '../../support/builders';
import { renderApp, user } from '../../support/renderApp';
import { openChallenge } from '../auth/challenge/openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('a recovery code is submitted with the digits that a keyboard of another script types', async () => {
  const app = await openChallenge({ config: { extensions: ['recovery-codes'] } });
  await renderApp(app);
  app.deps.api.recovery.use.mockResolvedValue(answers.session());
  await user.click(await screen.findByRole('link', { name: 'Use a Recovery Code' }));
  await user.type(await screen.findByRole('textbox', { name: 'Recovery code' }), '٧f३k-9qxa-2mvd-h4te');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(app.deps.api.recovery.use.mock.lastCall?.[0]).toMatchObject({ code: '7f3k-9qxa-2mvd-h4te' });
});

it.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])(
  'the link to it is handled by the browser with %s',
  async (key) => {
    await renderApp(await openChallenge({ config: { extensions: ['recovery-codes'] } }));
    const link = await screen.findByRole('link', { name: 'Use a Recovery Code' });
    const isPrevented = new Promise((resolve) => {
      const note = (event: Event): void => {
        resolve(event.defaultPrevented);
        // jsdom cannot navigate.
        event.preventDefault();
      };
      document.addEventListener('click', note, { once: true });
    });
    fireEvent.click(link, { [key]: true });
    expect(await isPrevented).toBe(false);
    expect(screen.getByRole('link', { name: 'Use a Recovery Code' })).toBe(link);
  },
);
