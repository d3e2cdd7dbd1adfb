import { act, fireEvent, screen } from '@testing-library/react';
import { enrolmentMethodChosen } from '@features/mfa';
import { ApiError } from '@shared/api/apiError';
import type { LoginMethod } from '@shared/api/decoders';
import { methods } from '../../../support/builders';
import { later } from '../../../support/later';
import { pass, settle } from '../../../support/openApp';
import { openSettings } from '../verify-identity/openVerify';
import { openWithProviders } from './openWithProviders';
import { arrive, renderApp } from '../../../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const open = async (offered?: readonly LoginMethod[]) => {
  const app = await openWithProviders(offered ? { offered } : {});
  await renderApp(app);
  return app;
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
/** The text next to the form; the password field's own Caps Lock line is empty. */
const line = () => screen.queryAllByRole('status').find(({ textContent }) => textContent !== '') ?? null;

describe('next to the form', () => {
  it.each([
    ['Sign in with Google', 'Continue in the Google window.'],
    ['Sign in with Microsoft', 'Continue in the Microsoft window.'],
  ])('a press on %s opens a window synchronously, and says: %s', async (name, words) => {
    const app = await open();
    expect(line()).not.toBeInTheDocument();
    press(name);
    // Nothing was awaited since the press.
    expect(app.deps.popup.windows).toHaveLength(1);
    await arrive();
    expect(line()).toHaveTextContent(words);
  });

  it('password, both providers and the way back stay usable while the window is open', async () => {
    await open();
    press('Sign in with Google');
    await arrive();
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'pw' } });
    for (const name of ['Sign In', 'Sign in with Google', 'Sign in with Microsoft', 'Cancel', 'Open again'])
      expect(screen.getByRole('button', { name })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'ada@example.com' })).toBeEnabled();
  });

  it('Cancel removes the hint and closes the window', async () => {
    const app = await open();
    press('Sign in with Google');
    await arrive();
    press('Cancel');
    expect(line()).not.toBeInTheDocument();
    expect(app.window().closedByPage()).toBe(true);
  });

  it('Open again opens another window for the same provider synchronously', async () => {
    const app = await open();
    press('Sign in with Microsoft');
    await arrive();
    press('Open again');
    expect(app.deps.popup.windows).toHaveLength(2);
    await arrive();
    expect(line()).toHaveTextContent('Continue in the Microsoft window.');
    expect(app.window().visited[0]).toContain('microsoft.payments.localhost');
  });

  it('a window that appears closed can still be finished', async () => {
    const app = await open();
    press('Sign in with Google');
    await arrive();
    app.deps.pageLife.focus(false);
    app.window().seemClosed();
    await act(() => pass(500));
    expect(line()).toHaveTextContent('Finish in the other window, or try again.');
  });

  it('a blocked window shows a hint to press the button, without a dialog and without Cancel', async () => {
    const app = await open([methods.google, methods.basic]);
    app.deps.popup.block();
    press('Sign in with Google');
    await arrive();
    expect(line()).toHaveTextContent(
      'Your browser blocked the window. Press ‘Sign in with Google’ to continue.',
    );
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();

    press('Sign in with Google');
    await arrive();
    expect(line()).toHaveTextContent(
      'Your browser blocked the window again. Allow pop-ups for this site in your browser, then press ‘Sign in with Google’.',
    );
  });

  it('the provider’s button is busy during the exchange', async () => {
    const app = await open();
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    press('Sign in with Google');
    await arrive();
    await act(async () => {
      app.window().say({ type: 'oauth/code', code: 'code-1' });
      await settle();
    });
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toHaveAttribute('aria-busy', 'true');
    expect(line()).not.toBeInTheDocument();
  });
});

describe('on verify identity', () => {
  const openVerify = async (offered: readonly LoginMethod[]) => {
    const app = await openSettings({ method: 'other', offered });
    await renderApp(app);
    await act(async () => {
      await app.send(enrolmentMethodChosen({ method: 'app' }));
    });
    await screen.findByText(/^You are authenticated via Google/);
    return app;
  };
  const pressAndSettle = async (name: string) => {
    press(name);
    await arrive();
  };

  it.each([
    ['Next', [methods.google]],
    ['Continue with Google', [methods.google, methods.microsoft]],
  ])('the hint about a blocked window names the button of that screen: %s', async (name, offered) => {
    const app = await openVerify(offered);
    app.deps.popup.block();
    for (const words of [
      `Your browser blocked the window. Press ‘${name}’ to continue.`,
      `Your browser blocked the window again. Allow pop-ups for this site in your browser, then press ‘${name}’.`,
    ]) {
      await pressAndSettle(name);
      expect(line()).toHaveTextContent(words);
    }
  });

  it.each([
    ['microsoft', 'Microsoft'],
    ['other', 'Google or Microsoft'],
  ] as const)(
    'the provider of a token with the method %s is named while it is loaded and after a failure',
    async (method, named) => {
      const app = await openSettings({ method: 'other', claims: { method } });
      const pending = later(app.deps.api.auth.methods);
      await renderApp(app);
      await act(() => app.send(enrolmentMethodChosen({ method: 'app' })));
      expect(screen.getByText("To continue, first verify it's you")).toBeVisible();
      const sentence = `You are authenticated via ${named}. Click Next to reauthenticate and continue.`;
      expect(screen.getByText(sentence)).toBeVisible();
      expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
      await act(() => pending.refuse(new ApiError('network')));
      expect(screen.getByText('We were unable to verify your identity. Please try again.')).toBeVisible();
      await act(async () => {
        app.answerDialog(true);
        await settle();
      });
      expect(screen.getByText(sentence)).toBeVisible();
      expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled();
    },
  );

  it('either of two providers can be chosen; Cancel leads the focus back to its button, which is busy later', async () => {
    const app = await openVerify([methods.google, methods.microsoft]);
    expect(screen.queryByRole('button', { name: 'Next' })).not.toBeInTheDocument();
    await pressAndSettle('Continue with Microsoft');
    expect(line()).toHaveTextContent('Continue in the Microsoft window.');
    screen.getByRole('button', { name: 'Cancel' }).focus();
    await pressAndSettle('Cancel');
    expect(screen.getByRole('button', { name: 'Continue with Microsoft' })).toHaveFocus();

    app.deps.api.auth.validatePassword.mockReturnValue(new Promise(() => undefined));
    await pressAndSettle('Continue with Microsoft');
    await act(async () => {
      app.deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: 'code-1' });
      await settle();
    });
    expect(screen.getByRole('button', { name: 'Continue with Microsoft' })).toHaveAttribute('aria-busy');
    expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeDisabled();
    expect(line()).not.toBeInTheDocument();
  });
});
