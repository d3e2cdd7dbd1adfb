import type {
  SignInMethod,
  ValidatePasswordResponse,
  ValidatePasswordRequest,
} from '@vestibule/contract/schema';
import { findByUid, offersBasic, type AccountRecord } from '../accounts/accounts.ts';
import { identityRefused, ServiceError, sessionEnded } from '../errors.ts';
import type { ProviderLogin, ProviderProof } from '../provider/login.ts';
import type { Bearer, SessionBearer } from '../security/signedTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { issueIdentityToken } from '../session/identityTokens.ts';
import { methodOfSession, sessionBearer } from '../session/readBearer.ts';
import { proveByProvider } from './proveByProvider.ts';
import { provePassword } from './provePassword.ts';

/**
 * `POST /auth/v1/validate-password`: the person at the screen proves again who they are. Who signed in with a password
 * gives it; who signed in with a provider asks any provider that the account offers, because the application does not
 * know which of them it was. A password does not do where a provider was asked for, or the other way round.
 *
 * @throws ServiceError 401 `invalid_credentials`; 429 while the session is locked; 502, 503, 504 `unavailable` when the provider fails.
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
  const authVerificationToken = await issueIdentityToken(context, bearer, method);
  const { uid } = bearer;
  await context.audit.record(context.db, { event: 'identity-check', outcome: 'success', uid, method });
  return { authVerificationToken };
}

/**
 * The password of a signed-in user. One that the account no longer signs in with does not count. Wrong ones lock this
 * session and no other, so that neither failed sign-ins nor a stolen session can keep the user from it.
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
  const proof = { username, uid, storedHash, entered, source: ['session', sessionId] } as const;
  await provePassword(context, proof, identityRefused);
}

/** The contract has no place for the provider's name; it asks for a verifier with Microsoft and not with Google. */
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
    // Not 'Your account has no access', which would be wrong for a signed-in user.
    if (error instanceof ServiceError && error.code === 'no_access') throw identityRefused();
    throw error;
  }
}
