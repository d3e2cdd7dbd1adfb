import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appCode } from './support/authenticator.ts';
import { dropDatabase, emptyDatabase, newDatabase, postgresBinaries } from './support/postgres.ts';
import { app } from './support/secondStep.ts';
import { startTestService, type TestService, text } from './support/testService.ts';

function documented(form: RegExp): string {
  const operating = readFileSync(path.resolve(__dirname, '../../../docs/operations.md'), 'utf8');
  const [, found] = form.exec(operating.slice(operating.indexOf('## Backup'))) ?? [];
  if (found === undefined) throw new Error(`The documentation of backups has no ${form.source}.`);
  return found;
}

/** What an administrator runs after a restore, to the letter. */
const statementsOfTheDocumentation = (): string => documented(/<<'SQL'\n([^]*?)\nSQL\n/);

/**
 * Runs the documented script of a dump, but for the user, the database and the folders, which are the test's. @returns the file
 */
function dumpAsDocumented(url: string, folder: string): string {
  const script = documented(/<< 'END'\n(#![^]*?)^END$/m)
    .replaceAll("su postgres -c '", "sh -c '")
    .replaceAll(" vestibule'", ` "$DATABASE"'`)
    .replaceAll(/\/var\/(?:backups|lib\/prometheus\/node-exporter)/g, '"$FOLDER"');
  execFileSync('sh', ['-c', `umask 022\n${script}`], {
    env: { PATH: `${postgresBinaries()}:${process.env['PATH'] ?? ''}`, DATABASE: url, FOLDER: folder },
  });
  return path.join(folder, 'vestibule.dump');
}

// What npm installs has no pg_dump.
const describeBackup = existsSync(path.join(postgresBinaries(), 'pg_dump')) ? describe : describe.skip;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestibule-backup-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describeBackup('a backup', () => {
  test('a dump brings everything back after the database is lost: docs/operations.md#backup', async () => {
    const program = (name: string): string => path.join(postgresBinaries(), name);
    const refresh = ({ post }: TestService, token: string) => post('/auth/v1/refresh', { refresh: token });
    const bob = { username: 'bob@example.com' };
    const url = await newDatabase();
    let service = await startTestService({ database: { url } });
    await service.write({ mfa: app });
    const dave = { username: 'dave@example.com' };
    await service.write({ ...bob, email: 'bob@example.com' });
    await service.write({ ...dave, email: 'dave@example.com' });
    const resting = text(await service.signIn(bob), 'refresh');
    const used = text(await service.signIn(bob), 'refresh');
    const ended = text(await service.signIn(dave), 'refresh');
    const session = await service.signIn(bob);
    // Of a night before the commands protected it.
    writeFileSync(path.join(folder, 'vestibule.dump'), '', { mode: 0o644 });
    const dump = dumpAsDocumented(url, folder);
    expect((statSync(dump).mode & 0o777).toString(8)).toBe('600');

    const successor = text(await refresh(service, used), 'refresh');
    await service.directory.accounts.endSessions(dave.username);
    expect((await refresh(service, ended)).status).toBe(401);
    await service.write({ username: 'carol@example.com' });
    await service.close();
    await dropDatabase(url);
    const restored = await emptyDatabase();
    execFileSync(program('pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${restored}`], {
      input: readFileSync(dump),
    });

    const database = { url: restored };
    const otherKey = Buffer.alloc(32, 'other').toString('base64');
    await expect(startTestService({ database, encryptionKey: otherKey })).rejects.toThrow(
      'does not open with encryptionKey (ENCRYPTION_KEY)',
    );
    service = await startTestService({ database });
    const code = await appCode(app.secret, service.now());
    expect((await service.enterCode(await service.challenge(), code)).status).toBe(200);
    expect((await service.signIn({ username: 'carol@example.com' })).status).toBe(401);
    // Tokens that the published key of then has signed.
    const bearer = text(session, 'token');
    expect((await service.get('/mfa/v1/authy-info', { bearer })).status).toBe(404);
    expect((await refresh(service, successor)).status).toBe(401);
    expect((await refresh(service, resting)).status).toBe(200);
    expect((await refresh(service, ended)).status).toBe(200);

    execFileSync(program('psql'), ['--set=ON_ERROR_STOP=1', '--quiet', `--dbname=${restored}`], {
      input: statementsOfTheDocumentation(),
    });
    expect((await refresh(service, text(session, 'refresh'))).status).toBe(401);
    expect((await service.get('/mfa/v1/authy-info', { bearer })).status).toBe(401);
    expect((await service.signIn(bob)).status).toBe(200);
    await service.close();
  });
});
