import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { cookieName, type FamilyCookies } from './familyCookies';

/** The claims of a bearer that identify its owner. */
interface Bearer {
  readonly token: string;
  readonly uid: string;
}

const sessionSchema = v.object({ authenticated: v.object({ token: v.string() }) });
const setupSchema = v.object({ mfaToken: v.string() });

/** The token of the session cookie. */
export async function sessionBearer(cookies: FamilyCookies): Promise<Bearer> {
  const cookie: unknown = JSON.parse((await cookies.read(cookieName.session)) ?? 'null');
  return bearerOf(v.parse(sessionSchema, cookie).authenticated.token);
}

/** The `mfaToken` of the setup cookie. */
export async function setupBearer(cookies: FamilyCookies): Promise<Bearer> {
  const cookie: unknown = JSON.parse((await cookies.read(cookieName.setup)) ?? 'null');
  return bearerOf(v.parse(setupSchema, cookie).mfaToken);
}

const bearerOf = (token: string): Bearer => ({ token, uid: v.parse(v.string(), decodeJwt(token)['uid']) });
