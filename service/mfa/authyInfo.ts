import type { AuthyInfoAnswer } from '@contract/schema.gen';
import { findByUid } from '../directory/accounts';
import { ServiceError } from '../errors';
import type { Bearer } from '../security/signedTokens';
import type { ServiceContext } from '../serviceContext';

/**
 * `GET /mfa/v1/authy-info`: the phone that gets the bearer's codes, all but its last four digits hidden. Set-up tokens
 * read it too: the screen after a set-up shows it.
 *
 * @throws ServiceError 404 when no phone is set up.
 */
export async function authyInfo(
  { db }: Pick<ServiceContext, 'db'>,
  { uid }: Bearer,
): Promise<AuthyInfoAnswer> {
  const account = await findByUid(db, uid);
  const phone = account?.factors.find((factor) => factor.type === 'authy')?.phone;
  if (phone === undefined || phone === null)
    throw new ServiceError(404, 'not_found', 'Text messages are not set up.');
  return { status: { phone_number: `XXX-XXX-${phone.slice(-4)}` } };
}
