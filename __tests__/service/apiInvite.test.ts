/** @jest-environment node */
import fc from 'fast-check';
import { bothDatabases } from './support/bothDatabases';
import { anySegment, mangled, openInvite } from './support/links';
import { linkIn } from './support/recordingOutbox';
import { account, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(120_000);

const gone = { error: { message: 'This link is invalid or has expired.', code: 'not_found' } };

describe.each(bothDatabases)('the invitation of an API user, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const invite = async (): Promise<string> => (await world.service.directory.inviteApiUser('Export')).id;

  beforeAll(async () => {
    const database = await open();
    closeDatabase = database.close;
    world = await startTestService({ database: database.options });
  });
  afterAll(async () => {
    await world.close();
    await closeDatabase();
  });

  it('gives out the key and the secret once, uncached, and they are what is stored', async () => {
    const link = await invite();
    const answer = await openInvite(world, link);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [key, secret] = [text(answer, 'apiKey'), text(answer, 'apiSecret')];
    expect(Buffer.from(secret, 'base64url').byteLength).toBe(32);
    const again = await openInvite(world, link);
    expect([again.status, again.body]).toEqual([404, gone]);

    const { isApiSecret } = world.service.directory;
    expect(await isApiSecret(key, secret)).toBe(true);
    expect(await isApiSecret(key, `${secret}x`)).toBe(false);
    const other = await openInvite(world, await invite());
    expect(await isApiSecret(text(other, 'apiKey'), secret)).toBe(false);
    expect(world.log.text()).not.toContain(secret);
    expect(world.log.text()).not.toContain(link);
  });

  it('gives them to one of several that ask at once', async () => {
    const link = await invite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => openInvite(world, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(404)]);
  });

  it('is not opened by looking at it (HEAD), nor by a preflight', async () => {
    const link = await invite();
    const path = `/user-management/v1/api-users/invite/link/${link}`;
    expect((await fetch(`${world.url}${path}`, { method: 'HEAD' })).status).toBe(404);
    await fetch(`${world.url}${path}`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://login.payments.localhost', 'Access-Control-Request-Method': 'GET' },
    });
    expect((await openInvite(world, link)).status).toBe(200);
  });

  it('is over after seven days', async () => {
    const late = await invite();
    world.passSeconds(7 * 86_400);
    expect((await openInvite(world, late)).body).toEqual(gone);
  });

  it('is told from every other text, and from links of other kinds', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount(account());
    const foreign = (await world.service.directory.resetLink('ada@example.com')).id;
    for (const other of [...mangled(link), foreign]) {
      expect((await openInvite(world, other)).body).toEqual(gone);
    }
    expect((await openInvite(world, link)).status).toBe(200);
  });

  it('takes any characters for a link that it does not know', async () => {
    await fc.assert(
      fc.asyncProperty(anySegment, async (segment) => {
        expect((await openInvite(world, segment)).status).toBe(404);
      }),
      { numRuns: 50 },
    );
  });

  it('is mailed to whoever sets the API user up', async () => {
    const { url } = await world.service.directory.inviteApiUser('Export', { mailTo: 'ops@example.com' });
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: 'ops@example.com', subject: 'Your API key and secret' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/secret-key\/[\w-]{43}$/);
  });
});
