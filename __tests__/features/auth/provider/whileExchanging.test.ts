/** @jest-environment node */
import { passwordSubmitted, providerAbandoned, providerChosen } from '@features/auth/sign-in/signIn.slice';
import type { TokenAnswer } from '@shared/api/api';
import { answers, hosts } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { openWithProviders } from './openWithProviders';
import { waysOut } from './waysOut';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('while the code is being exchanged', () => {
  const exchanging = async () => {
    const app = await openWithProviders();
    let answer: (answer: TokenAnswer) => void = () => undefined;
    app.deps.api.auth.token.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const window = await app.choose('google');
    window.say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    return { app, answer: (tokens: TokenAnswer) => answer(tokens) };
  };

  it.each([
    ['the same button', providerChosen('google')],
    ['the other button', providerChosen('microsoft')],
    ['Cancel', providerAbandoned()],
    ['Sign In', passwordSubmitted('pw')],
  ])('a press on %s ends nothing and starts nothing', async (_name, press) => {
    const { app, answer } = await exchanging();
    app.dispatch(press);
    await settle();
    expect(app.deps.popup.windows).toHaveLength(1);
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'google' });
    answer(answers.session());
    await settle();
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it.each(waysOut.filter(([name]) => name !== 'Cancel'))(
    '%s gives it up: its late answer signs nobody in',
    async (_name, giveUp) => {
      const { app, answer } = await exchanging();
      giveUp(app);
      answer(answers.session());
      await settle();
      expect(app.deps.cookies.contents()).toEqual({});
      expect(app.deps.navigation.leaves).toEqual([]);
      expect(app.dialogs).toEqual([]);
    },
  );
});
