/** Tests fillTextedCodes.saga. */
import { fillTextedCode } from '@shared/ports/browser/signInPorts';
import { act, fireEvent, screen } from '@testing-library/react';
import { answers } from '../support/builders';
import { settle } from '../support/openApp';
import { openChallenge, wrongCode } from './auth/challenge/openChallenge';
import { openInSession, begin, sendPhone, reachCode, type OpenSetup } from './mfa/enrolment/openEnrolment';
import { renderApp } from '../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

/** The browser's reader of text messages. */
function fakeReader() {
  const requests: { readonly otp: object; readonly signal: AbortSignal }[] = [];
  let answer: (message: { readonly code: string } | null) => void = () => undefined;
  let refuse: (reason: Error) => void = () => undefined;
  const get = (request: (typeof requests)[number]) => {
    requests.push(request);
    return new Promise((resolve, reject) => {
      answer = resolve;
      refuse = reject;
      request.signal.addEventListener('abort', () => {
        reject(new DOMException('Aborted', 'AbortError'));
      });
    });
  };
  const browser = { document, navigator: { credentials: { get } }, OTPCredential: jest.fn() };
  return {
    requests,
    port: (signal: AbortSignal) => fillTextedCode(browser as unknown as Window, signal),
    arrive: async (code: string) => {
      await act(async () => {
        answer({ code });
        await settle();
      });
    },
    refuse: async () => {
      await act(async () => {
        refuse(new DOMException('Not allowed', 'NotAllowedError'));
        await settle();
      });
    },
  };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /code$/ });

async function atChallenge(challenge = answers.textChallenge()) {
  const reader = fakeReader();
  const app = await openChallenge({
    challenge,
    arrange: (deps) => void deps.fillTextedCode.mockImplementation(reader.port),
  });
  await renderApp(app);
  return { app, ...reader };
}

async function atSetup(): Promise<ReturnType<typeof fakeReader> & { readonly app: OpenSetup }> {
  const reader = fakeReader();
  const app = await openInSession();
  app.deps.fillTextedCode.mockImplementation(reader.port);
  await begin('text', app);
  await sendPhone(app);
  await renderApp(app);
  return { app, ...reader };
}

describe('a code that the browser reads from a text message', () => {
  it('is filled in at a sign-in, where the user still submits it', async () => {
    const { app, requests, arrive } = await atChallenge();
    expect(requests.map(({ otp }) => otp)).toEqual([{ transport: ['sms'] }]);
    await arrive('123456');
    expect(field()).toHaveValue('123456');
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await act(() => settle());
    expect(app.deps.api.auth.token).toHaveBeenCalledWith(expect.objectContaining({ mfaCode: '123456' }));
  });

  it('is submitted at a set-up, as a typed one', async () => {
    const { app, arrive } = await atSetup();
    await arrive('123456');
    expect(app.deps.api.mfa.validateSetup.mock.calls.map(([, { mfaCode }]) => mfaCode)).toEqual(['123456']);
  });

  it('is never in the store', async () => {
    const { app, arrive } = await atSetup();
    const seen: string[] = [];
    app.store.subscribe(() => void seen.push(JSON.stringify(app.state())));
    await arrive('987654');
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toContain('987654');
  });

  it('is followed by that of the next message', async () => {
    const { app, requests, arrive } = await atChallenge();
    await arrive('123456');
    expect(requests).toHaveLength(2);
    app.deps.api.auth.token.mockRejectedValue(wrongCode);
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
    // The boxes are red: nothing can be entered.
    await act(() => settle());
    await arrive('654321');
    expect(field()).toHaveValue('123456');
    await act(() => jest.advanceTimersByTimeAsync(1500));
    await arrive('246810');
    expect(field()).toHaveValue('246810');
  });

  it('is not waited for any longer once the screen is left', async () => {
    const { app, requests } = await atChallenge();
    expect(requests.at(-1)?.signal.aborted).toBe(false);
    fireEvent.click(screen.getByRole('link', { name: 'Back to Login' }));
    await act(() => settle());
    expect(app.address()).toBe('/login');
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('is typed where the user refuses, and the browser is not asked again', async () => {
    const { requests, refuse } = await atChallenge();
    await refuse();
    expect(requests).toHaveLength(1);
    fireEvent.input(field(), { target: { value: '123456' } });
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled();
  });

  it('is typed where the code that asks cannot be loaded', async () => {
    const app = await openChallenge({
      challenge: answers.textChallenge(),
      arrange: (deps) => void deps.fillTextedCode.mockRejectedValue(new Error('no chunk')),
    });
    await renderApp(app);
    fireEvent.input(field(), { target: { value: '123456' } });
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled();
  });
});

describe('no text message is waited for', () => {
  it('with an authenticator app', async () => {
    const { app } = await atChallenge(answers.appChallenge());
    expect(app.deps.fillTextedCode).not.toHaveBeenCalled();
    const setup = await reachCode('app');
    expect(setup.deps.fillTextedCode).not.toHaveBeenCalled();
  });

  it('by a browser that reads none', async () => {
    const credentials = { get: jest.fn() };
    const browser = { document, navigator: { credentials } } as unknown as Window;
    expect(await fillTextedCode(browser, new AbortController().signal)).toBe(false);
    expect(credentials.get).not.toHaveBeenCalled();
  });
});
