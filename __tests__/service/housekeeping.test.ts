/** @jest-environment node */
import { connect, type Database } from '../../service/database/connect';
import { removeExpired } from '../../service/database/housekeeping';
import { migrateToLatest } from '../../service/database/migrate';
import { defaultLockout } from '../../service/options';
import { passwordKey, passwordScope } from '../../service/security/attemptKeys';
import { createAttempts } from '../../service/security/attempts';
import { recordingLogger } from './support/recordingLogger';

jest.setTimeout(120_000);

describe('housekeeping', () => {
  const start = Date.UTC(2026, 0, 1);
  let database: Database;

  beforeAll(async () => {
    database = await connect({ folder: null }, recordingLogger().logger);
    await migrateToLatest(database.db);
  });
  afterAll(async () => {
    await database.close();
  });

  const sessionRow = (id: string, endsAt: number) => ({
    id,
    uid: 'u_1',
    method: 'basic' as const,
    rotation_key: 'k',
    created_at: new Date(start),
    expires_at: new Date(endsAt),
    ended_at: null,
    end_reason: null,
  });

  it('removes what is over and nothing that still counts', async () => {
    const { db } = database;
    const user = {
      uid: 'u_1',
      username: 'a',
      username_key: 'a',
      email: 'a@b.c',
      first_name: 'A',
      last_name: 'B',
    };
    await db
      .insertInto('users')
      .values({
        ...user,
        password_hash: null,
        password_changed_at: null,
        personas: '{}',
        must_set_up_mfa: false,
        created_at: new Date(start),
      })
      .execute();
    await db
      .insertInto('sessions')
      .values([sessionRow('over', start + 1000), sessionRow('alive', start + 7_200_000)])
      .execute();
    for (const session of ['over', 'alive']) {
      const token = { token_hash: `of ${session}`, session_id: session, rotated_at: new Date(start) };
      await db
        .insertInto('refresh_tokens')
        .values({ ...token, created_at: new Date(start), expires_at: new Date(start + 1000) })
        .execute();
    }
    for (const [id, endsAt] of [
      ['over', start + 1000],
      ['alive', start + 7_200_000],
    ] as const) {
      await db
        .insertInto('links')
        .values({
          ...{ id_hash: id, kind: 'secret-key', uid: null, api_user: 'Export', is_magic: false },
          ...{ application: null, redirect_url: null, exchanged_at: null, used_at: null },
          created_at: new Date(start),
          expires_at: new Date(endsAt),
        })
        .execute();
    }
    const guess = async (name: string, at: number, isRight: boolean): Promise<void> => {
      const attempts = createAttempts(db, defaultLockout, () => at);
      const key = passwordKey(name, null, ['network', '192.0.2.1']);
      const reservation = await attempts.reserve(key);
      if (reservation.allowed && isRight) await attempts.succeeded(key, reservation);
    };
    await guess('wrong long ago', start - 86_400_000, false);
    await guess('wrong a day ago', start, false);
    await guess('right a month ago', start - 29 * 86_400_000, true);
    await createAttempts(db, defaultLockout, () => start - 86_400_000).lock('locked long ago');
    await createAttempts(db, defaultLockout, () => start).lock('locked a day ago');

    for (const [type, after] of [
      ['authy', 1000],
      ['mfa', 7_200_000],
    ] as const) {
      const factor = { phone: null, country_code: null, code_hash: null, totp_secret: null };
      await db
        .insertInto('mfa_enrolments')
        .values({ id: `of ${type}`, uid: 'u_1', type, ...factor, expires_at: new Date(start + after) })
        .execute();
      await db
        .insertInto('text_message_counts')
        .values({ subject: `of ${type}`, sent: 1, window_ends_at: new Date(start + after) })
        .execute();
    }

    await removeExpired(db, { now: () => start + 3_700_000, lockout: defaultLockout });

    const sessions = await db.selectFrom('sessions').select('id').execute();
    const tokens = await db.selectFrom('refresh_tokens').select('token_hash').execute();
    const enrolments = await db.selectFrom('mfa_enrolments').select('id').execute();
    const counts = await db.selectFrom('text_message_counts').select('subject').execute();
    const attempts = await db.selectFrom('sign_in_attempts').select('scope').distinct().execute();
    expect(sessions).toEqual([{ id: 'alive' }]);
    expect(await db.selectFrom('links').select('id_hash').execute()).toEqual([{ id_hash: 'alive' }]);
    // The rotated token stays although its own life is over: were it gone, its reuse could not be recognised.
    expect(tokens).toEqual([{ token_hash: 'of alive' }]);
    expect([enrolments, counts]).toEqual([[{ id: 'of mfa' }], [{ subject: 'of mfa' }]]);
    expect(attempts.map(({ scope }) => scope).sort()).toEqual(
      [passwordScope('wrong a day ago'), passwordScope('right a month ago'), 'locked a day ago'].sort(),
    );
  });
});
