import type {
  SignInMethod,
  ValidatePasswordResponse,
  ValidatePasswordRequest,
} from '@vestibule/contract/schema';
import { findByUid, offersBasic, type AccountRecord } from '../accounts/accounts.ts';
import { identityRefused, sessionEnded } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import type { ProviderLogin, ProviderProof } from '../core/provider/login.ts';
import type { Bearer, SessionBearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { issueIdentityToken } from '../session/identityTokens.ts';
import { methodOfSession, sessionBearer } from '../session/readBearer.ts';
import { identityEvents } from './events.ts';
import { proveByProvider } from './proveByProvider.ts';
import { provePassword } from './provePassword.ts';

/**
 * `POST /auth/v1/validate-password`: a signed-in user verifies their identity. After a sign-in with a password only
 * the password is accepted; after one with a provider, any provider of the account, because the application does not
 * know which one was used.
 *
 * @throws ServiceError 401 `invalid_credentials`; 429 while the session is locked; 502, 503, 504 `unavailable` if the
 * provider fails.
 */
export async function verifyIdentity(
  context: ServiceContext,
  anyBearer: Bearer,
  request: ValidatePasswordRequest,
): Promise<ValidatePasswordResponse> {
  const bearer = sessionBearer(anyBearer);
  const signedInWith = await methodOfSession(context, bearer);
  const account = await findByUid(context.db, bearer.uid);
  if (account === null) throw sessionEnded('unauthorized');
  if (signedInWith === 'basic') {
    if (!('password' in request)) throw identityRefused();
    await proveOwnPassword(context, bearer, account, request.password);
    return accept(context, bearer, 'basic');
  }
  if (!('code' in request)) throw identityRefused();
  const provider = providerOf(request);
  await reauthenticate(context, account, provider, request);
  return accept(context, bearer, provider);
}

async function accept(
  context: ServiceContext,
  bearer: SessionBearer,
  method: SignInMethod,
): Promise<ValidatePasswordResponse> {
  const authVerificationToken = await issueIdentityToken(context, bearer, { method });
  const { uid } = bearer;
  await context.audit.record(context.db, {
    event: identityEvents['identity-check'],
    outcome: 'success',
    uid,
    method,
  });
  return { authVerificationToken };
}

/**
 * Checks the password of a signed-in user, if the account still offers that method. Failures lock only this session,
 * so that neither failed sign-ins nor a stolen session can lock out the user.
 *
 * @throws ServiceError 401 `invalid_credentials`, 429 while the session is locked.
 */
export async function proveOwnPassword(
  context: ServiceContext,
  { sessionId }: SessionBearer,
  account: AccountRecord,
  entered: string,
): Promise<void> {
  const { username, uid, password_hash } = account.user;
  const storedHash = offersBasic(account) ? password_hash : null;
  const proof = { username, uid, storedHash, entered, attemptSource: ['session', sessionId] } as const;
  await provePassword(context, proof, identityRefused);
}

/** The request does not name the provider; it has a verifier for Microsoft and none for Google. */
function providerOf({ codeVerifier }: ProviderProof): ProviderLogin['method'] {
  return codeVerifier === undefined ? 'google' : 'microsoft';
}

async function reauthenticate(
  context: ServiceContext,
  account: AccountRecord,
  method: ProviderLogin['method'],
  proof: ProviderProof,
): Promise<void> {
  const demands = { authenticatedWithinSeconds: context.settings.reauthenticationSeconds };
  try {
    await proveByProvider(context, account, method, proof, demands);
  } catch (error) {
    // The text 'Your account has no access' would be wrong for a signed-in user.
    if (error instanceof ServiceError && error.code === 'no_access') throw identityRefused();
    throw error;
  }
}
