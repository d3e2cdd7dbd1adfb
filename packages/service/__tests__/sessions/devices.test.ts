import { ada, describeService, text } from '../support/testService.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describeService(
  'devices and activity',
  (service) => {
    const listOf = async (path: string, name: string, bearer: string) => {
      const { body } = await service.get(path, { bearer });
      return body[name] as readonly Readonly<Record<string, unknown>>[];
    };
    const sessionsOf = (bearer: string) => listOf('/auth/v1/sessions', 'sessions', bearer);
    const activityOf = (bearer: string) => listOf('/auth/v1/activity', 'events', bearer);
    const end = (body: object, bearer: string) => service.post('/auth/v1/sessions/end', body, { bearer });
    const from = (address: string, device: string, more: object = {}) =>
      service.post(
        '/auth/v1/token',
        { username: ada, method: 'basic', password: 'Correct-horse7', ...more },
        { headers: { 'X-Forwarded-For': address, 'User-Agent': device } },
      );
    /** ISO 8601, seconds from now. */
    const time = (seconds: number) => new Date(service.now() + seconds * 1000).toISOString();
    const isAccepted = async (bearer: string) =>
      (await service.get('/auth/v1/sessions', { bearer })).status === 200;

    it('a user sees where they are signed in, with browser, system and network', async () => {
      await service.write();
      const phone = await from('203.0.113.77', iphone);
      service.passSeconds(60);
      const desk = text(await from('2001:db8:1:2::9', firefox), 'token');
      service.passSeconds(240);
      await service.refresh(text(phone, 'refresh'));

      expect(await sessionsOf(desk)).toEqual([
        {
          id: expect.any(String) as string,
          current: true,
          startedAt: time(-240),
          lastSeenAt: time(-240),
          method: 'basic',
          browser: 'Firefox 153',
          system: 'Windows',
          network: '2001:db8:1::/48',
        },
        {
          id: expect.any(String) as string,
          current: false,
          startedAt: time(-300),
          lastSeenAt: time(0),
          method: 'basic',
          browser: 'Safari 18',
          system: 'iOS',
          network: '203.0.113.0/24',
        },
      ]);
    });

    it('an ended session is over at once, and ending it again is accepted', async () => {
      const { bearer } = await service.signedIn();
      const other = await service.signIn();
      const [{ id } = {}] = (await sessionsOf(bearer)).filter(({ current }) => current === false);
      for (const _ of [1, 2]) expect((await end({ ids: [id] }, bearer)).status).toBe(200);
      expect(await isAccepted(text(other, 'token'))).toBe(false);
      expect((await service.refresh(text(other, 'refresh'))).status).toBe(401);
      expect(await sessionsOf(bearer)).toHaveLength(1);
      expect((await activityOf(bearer)).map(({ kind }) => kind)).toEqual([
        'session-ended',
        'signed-in',
        'signed-in',
      ]);
    });

    it('all others end together, and those of another user stay', async () => {
      const { bearer } = await service.signedIn();
      const others = [text(await service.signIn(), 'token'), text(await service.signIn(), 'token')];
      const grace = await service.signedIn({ username: 'grace@example.com', email: 'grace@example.com' });
      await end({ others: true }, bearer);
      expect(await Promise.all([...others, bearer, grace.bearer].map(isAccepted))).toEqual([
        false,
        false,
        true,
        true,
      ]);
    });

    it('a session of another user is neither ended nor listed', async () => {
      const { bearer } = await service.signedIn();
      const grace = await service.signedIn({ username: 'grace@example.com', email: 'grace@example.com' });
      const [{ id } = {}] = await sessionsOf(grace.bearer);
      expect((await end({ ids: [id] }, bearer)).status).toBe(200);
      expect(await isAccepted(grace.bearer)).toBe(true);
      expect((await sessionsOf(bearer)).map((one) => one['id'])).not.toContain(id);
    });

    it('a forgotten device needs the second step again', async () => {
      await service.write({ mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } });
      const answer = await service.enterCode(await service.challenge(), await service.codeOfApp(), {
        trust: true,
      });
      const [bearer, trustedJWT] = [text(answer, 'token'), text(answer, 'trustedToken')];
      const [device, ...more] = await listOf('/auth/v1/trusted-devices', 'devices', bearer);
      expect(more).toEqual([]);
      expect(device).toMatchObject({ trustedAt: time(0) });
      expect((await service.signIn({ trustedJWT })).body).toHaveProperty('token');
      await service.post('/auth/v1/trusted-devices/forget', { ids: [device?.['id']] }, { bearer });
      expect((await service.signIn({ trustedJWT })).body).toMatchObject({ mfaRequired: true });
      expect(await listOf('/auth/v1/trusted-devices', 'devices', bearer)).toEqual([]);
    });

    it('the activity is read page by page, and covers ninety days', async () => {
      const { bearer } = await service.signedIn();
      await service.signIn({ password: 'Wrong-horse7' });
      for (let count = 0; count < 20; count += 1) await service.signIn();
      const first = await service.get('/auth/v1/activity', { bearer });
      const events = first.body['events'] as readonly { readonly id: string; readonly kind: string }[];
      expect(events.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'signed-in'));
      expect(first.body['more']).toBe(true);
      const next = await service.get(`/auth/v1/activity?before=${events[19]?.id ?? ''}`, { bearer });
      expect(next.body).toMatchObject({
        events: [{ kind: 'sign-in-failed', method: 'basic' }, { kind: 'signed-in' }],
        more: false,
      });
      service.passSeconds(90 * 86_400);
      const later = text(await service.signIn(), 'token');
      expect(await activityOf(later)).toHaveLength(1);
    });

    it.each(['x', '9'.repeat(30), '-1', '1;'])('a page after %s does not exist', async (before) => {
      const { bearer } = await service.signedIn();
      const { status } = await service.get(`/auth/v1/activity?before=${encodeURIComponent(before)}`, {
        bearer,
      });
      expect(status).toBe(400);
    });

    it('setup mode has no access to it', async () => {
      await service.write({ mustSetUpMfa: true });
      const bearer = text(await service.signIn(), 'mfaJWT');
      for (const path of ['sessions', 'trusted-devices', 'activity', 'events'])
        expect([path, (await service.get(`/auth/v1/${path}`, { bearer })).status]).toEqual([path, 401]);
    });
  },
  { trustedProxies: ['127.0.0.1'] },
);
