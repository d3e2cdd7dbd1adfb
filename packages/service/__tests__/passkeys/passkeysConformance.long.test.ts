import { runConformance } from '@vestibule/contract/conformance';
import { credentials, failedRules, serveForConformance } from '../support/conformance.ts';
import { text } from '../support/testService.ts';

const { service, serveBut, brokenWith } = serveForConformance();

it('the conformance suite detects a service that repeats the challenge of its passkeys', async () => {
  const fixed = (await service.post('/auth/v1/passkeys/sign-in/options', {})).text;
  const baseUrl = await serveBut(({ url, method }) =>
    url === '/auth/v1/passkeys/sign-in/options' && method === 'POST' ? [200, fixed] : undefined,
  );
  const results = await runConformance({ baseUrl, account: credentials, extensions: ['passkeys'] });
  expect(failedRules(results)).toContain(
    'startPasskeySignIn: known and unknown usernames get options of one kind, an unknown one the same credentials each time',
  );
});

it('the conformance suite detects a service that lets the session token alone add a passkey', async () => {
  const session = await service.signIn();
  const body = { passkeyOffer: text(session, 'passkeyOffer') };
  const bearer = text(session, 'token');
  const options = (await service.post('/auth/v1/passkeys/add/options', body, { bearer })).body;
  const broken = await brokenWith(
    ({ url }) => (url === '/auth/v1/passkeys/add/options' ? options : undefined),
    'passkeys',
  );
  expect(broken).toEqual(
    expect.arrayContaining([
      'startPasskeyAddition: a passkey is added with a verified identity or the offer of a sign-in only',
      'startPasskeyAddition: the offer of a sign-in with a password works once, in its session',
    ]),
  );
});
