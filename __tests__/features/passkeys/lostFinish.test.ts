/** @jest-environment node */
import { answers, passkeys } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';

jest.mock('@features/auth/token-response/tokenResponse.saga', () => {
  throw Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
});

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('a passkey is not offered in the username field without the chunk that finishes its sign-in', async () => {
  const deps = fakeDeps({ config: { extensions: ['passkeys'] } });
  deps.authenticator.capabilities.add('conditionalGet');
  deps.authenticator.gives({ kind: 'given', credential: passkeys.assertion });
  deps.api.passkeys.signInOptions.mockResolvedValue(passkeys.options);
  deps.api.passkeys.signIn.mockResolvedValue(answers.session());
  const app = openApp(deps);
  await settle();
  await settle();
  expect(deps.api.passkeys.signInOptions).not.toHaveBeenCalled();
  expect(app.signIn().phase).toBe('username');
  expect(deps.navigation.reloads()).toBe(0);
});
