import * as v from 'valibot';
import { totpCode, type AccountInput, type Directory } from '@vestibule/service';
import type { EnvironmentConfig } from '../environmentConfig.ts';
import { requestFrom } from '../http/httpProxy.ts';
import { readBody } from '../http/send.ts';
import type { EnvironmentOutbox } from '../outbox.ts';
import type { Clock } from './clock.ts';
import type { SessionCookie } from './client.ts';
import { parsedBody } from './journal.ts';

/** The user could not be signed in; the message says why. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** How users are signed in without a browser. */
interface SignInFacts {
  /** Port of the service itself, behind journal and faults. */
  readonly servicePort: number;
  readonly directory: Directory;
  readonly outbox: EnvironmentOutbox;
  readonly clock: Clock;
  readonly cookies: EnvironmentConfig['cookies'];
}

const answerSchema = v.object({
  token: v.exactOptional(v.string()),
  refresh: v.exactOptional(v.string()),
  refreshToken: v.exactOptional(v.string()),
  mfaJWT: v.exactOptional(v.string()),
  mfaType: v.exactOptional(v.string()),
  authVerificationToken: v.exactOptional(v.string()),
});

/**
 * Signs a user in by the calls of the page: password and second step, or a magic link where there is no password.
 *
 * @returns the cookies of the session, or of setup mode
 * @throws NotSignedIn when the service refuses; LinkNotGiven for a user of a provider with a second step.
 */
export async function signIn(facts: SignInFacts, account: AccountInput): Promise<readonly SessionCookie[]> {
  const { username, password } = account;
  const first = await call(
    facts,
    password === null
      ? { method: 'magiclink', magiclinkId: await magicLinkOf(facts, account) }
      : { username, method: 'basic', password },
  );
  const { authVerificationToken, mfaType } = first;
  if (authVerificationToken === undefined) return cookiesOf(facts, first);
  const mfaCode = mfaType === 'mfa' ? await appCode(facts, username) : textCode(facts);
  return cookiesOf(facts, await call(facts, { username, method: 'basic', authVerificationToken, mfaCode }));
}

async function magicLinkOf(
  { directory }: SignInFacts,
  { username, personas }: AccountInput,
): Promise<string> {
  const [application = ''] = Object.keys(personas);
  return (await directory.links.magic(username, application)).id;
}

async function appCode({ directory, clock }: SignInFacts, username: string): Promise<string> {
  const mfa = (await directory.accounts.find(username))?.mfa;
  if (mfa?.type !== 'mfa') throw new NotSignedIn(`${username} has no authenticator app any more.`);
  return totpCode(mfa.secret, clock.now());
}

/** The newest message is the one that was just sent. */
function textCode({ outbox }: SignInFacts): string {
  const code = /\b\d{6}\b/.exec(outbox.messages()[0]?.text ?? '')?.[0];
  if (code === undefined) throw new NotSignedIn('No code was sent.');
  return code;
}

async function call({ servicePort }: SignInFacts, body: object): Promise<v.InferOutput<typeof answerSchema>> {
  const answered = await requestFrom(
    servicePort,
    { method: 'POST', path: '/auth/v1/token', headers: { 'Content-Type': 'application/json' } },
    Buffer.from(JSON.stringify(body)),
  );
  const answer = parsedBody(await readBody(answered));
  if (answered.statusCode !== 200)
    throw new NotSignedIn(`The service answered ${String(answered.statusCode)}: ${JSON.stringify(answer)}`);
  return v.parse(answerSchema, answer);
}

function cookiesOf(
  { cookies: { prefix, domain, sameSite } }: SignInFacts,
  { token, refresh, refreshToken = refresh, mfaJWT }: v.InferOutput<typeof answerSchema>,
): readonly SessionCookie[] {
  const cookie = (name: string, value: string): SessionCookie => ({
    name: `${prefix}-${name}`,
    value: encodeURIComponent(value),
    domain: `.${domain}`,
    path: '/',
    sameSite,
    secure: sameSite === 'None',
  });
  if (mfaJWT !== undefined) return [cookie('session-setup', JSON.stringify({ mfaToken: mfaJWT }))];
  if (token === undefined || refreshToken === undefined)
    throw new NotSignedIn('The service gave no session.');
  return [
    cookie('session', JSON.stringify({ authenticated: { token, refresh: refreshToken } })),
    cookie('session-refresh', refreshToken),
  ];
}
