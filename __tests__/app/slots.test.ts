/** @jest-environment node */
/** Tests announceFactorChange.saga, contain.saga, leaveSignedIn.saga and tokenResponse.saga. */
import { featuresOf } from '@app/features';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { turnOffRequested } from '@features/mfa';
import { createAction } from '@reduxjs/toolkit';
import type { TokenResponse } from '@shared/api/decoders';
import { createChunk } from '@shared/chunk';
import type { Feature, FinishSignIn } from '@shared/deps';
import { wayRequested, type WayUser } from '@shared/slots';
import { take } from 'typed-redux-saga';
import { answers, severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps, type FakeDeps } from '../support/fakeDeps';
import { enterUsername, openApp, pass, settle, signInWithPassword } from '../support/openApp';
import { put } from '../support/sessionCookies';
import { arrangeSignIn } from '../support/usualResponses';

const reportsTo = 'https://reports.payments.example/page';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

/** A tab in which the features of the core and a made-up one are in use. */
function tabWith(other: Omit<Feature, 'name'>, path = '/login') {
  const made: Feature = { name: 'other', ...other };
  const deps = fakeDeps({
    path,
    config: { reportsTo },
    overrides: { features: [...featuresOf({ extensions: [] }), made] },
  });
  arrangeSignIn(deps.api);
  return deps;
}

it('a feature that acts after a sign-in gets the token response, with its own fields, before the page leaves', async () => {
  const seen: unknown[] = [];
  const deps = tabWith({
    *afterSignIn({ navigation }, signedIn) {
      seen.push(signedIn, navigation.current().pathname);
    },
  });
  const response = { ...tokenPair(), ofOther: 'o-1' };
  deps.api.auth.token.mockResolvedValue(response);
  await signInWithPassword(openApp(deps));
  expect(seen).toEqual([{ token: response.token, response }, '/login']);
  expect(deps.navigation.leaves).toHaveLength(1);
});

/** The crash is logged and reported, and no message covers the page. */
function expectReported(deps: FakeDeps) {
  expect(deps.log.errors).toEqual([{ event: 'saga crashed: other', error: new Error('broken') }]);
  expect(deps.sendReport.mock.calls).toMatchObject([[reportsTo, { where: 'other', name: 'Error' }]]);
}

it('a feature that crashes after a sign-in does not keep the page from leaving', async () => {
  const deps = tabWith({
    *afterSignIn() {
      throw new Error('broken');
    },
  });
  deps.api.auth.token.mockResolvedValue(tokenPair());
  await signInWithPassword(openApp(deps));
  expect(deps.navigation.leaves).toHaveLength(1);
  expectReported(deps);
});

it('a feature that crashes during a session does not stop the refreshes', async () => {
  const deps = tabWith(
    {
      *whileSignedIn() {
        throw new Error('broken');
      },
    },
    '/account-settings',
  );
  put(deps, tokenPair({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.auth.refresh.mockResolvedValue(tokenPair({ personas: severalPersonas }));
  openApp(deps);
  await settle();
  expectReported(deps);
  await pass(3_600_000);
  expect(deps.api.auth.refresh).toHaveBeenCalled();
});

it('a feature learns of a change of factors, and its event is dispatched', async () => {
  const changed = createAction<string>('other/changed');
  const [routes, events]: [string[], string[]] = [[], []];
  const deps = tabWith(
    {
      afterFactorChange: (route) => {
        routes.push(route);
        return Promise.resolve(changed(route));
      },
      *whileSignedIn() {
        events.push((yield* take(changed)).payload);
      },
    },
    '/account-settings',
  );
  put(deps, tokenPair({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue(userAttributes({ isAppActive: true }));
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  deps.api.mfa.disable.mockResolvedValue(undefined);
  const app = openApp(deps);
  await settle();
  await app.send(turnOffRequested());
  app.answerDialog(true);
  await settle();
  await app.send(identityPasswordSubmitted('Corr3ct-horse'));
  expect([routes, events]).toEqual([['accountSettings'], ['accountSettings']]);
});

describe('another way to sign in', () => {
  async function signInBy(response: TokenResponse) {
    const results: boolean[] = [];
    const work = {
      *signIn(deps: Parameters<FinishSignIn>[0], user: WayUser, finish: FinishSignIn) {
        results.push(yield* finish(deps, response, user));
      },
    };
    const deps = tabWith({ way: { Button: () => null, work: createChunk(() => Promise.resolve(work)) } });
    const app = openApp(deps);
    await enterUsername(app);
    await app.send(wayRequested('other'));
    return { app, deps, results };
  }

  it('is finished as a sign-in with a password is', async () => {
    const { deps } = await signInBy(answers.session());
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it('that leads nowhere shows why, and the step can be used again', async () => {
    const { app, results } = await signInBy(tokenPair({ personas: {} }));
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: 'create relation in db' });
    expect(app.signIn().phase).toBe('choosing');
    app.answerDialog(true);
    await settle();
    expect(results).toEqual([true]);
  });

  it('that got a challenge is not finished', async () => {
    expect((await signInBy(answers.textChallenge())).results).toEqual([false]);
  });
});
