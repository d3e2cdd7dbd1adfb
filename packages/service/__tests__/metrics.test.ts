import { readFileSync } from 'node:fs';
import path from 'node:path';
import { extensionNames } from '@vestibule/contract/document';
import { collectDefaultMetrics } from 'prom-client';
import { parse } from 'yaml';
import { auditEvents } from '../src/index.ts';
import { app } from './support/secondStep.ts';
import { describeService, startTestService, text, type TestService } from './support/testService.ts';

describeService('metrics', (service) => {
  beforeEach(async () => {
    service.service.metrics.resetMetrics();
    await service.write();
  });

  /** Values by name and labels; `parts` select. */
  const valuesOf = async (...parts: readonly string[]): Promise<readonly string[]> =>
    (await service.service.metrics.metrics())
      .split('\n')
      .filter((line) => !line.startsWith('#') && parts.every((part) => line.includes(part)))
      .sort();

  it('count sign-ins by method and outcome', async () => {
    await service.signIn();
    await service.signIn({ password: 'wrong' });
    await service.signIn({ username: 'nobody@example.com' });
    await service.post('/auth/v1/token', { username: 'ada@example.com', method: 'google', code: 'c' });
    expect(await valuesOf('vestibule_events_total', 'sign-in')).toEqual([
      'vestibule_events_total{event="sign-in",method="basic",outcome="invalid_credentials"} 2',
      'vestibule_events_total{event="sign-in",method="basic",outcome="success"} 1',
      'vestibule_events_total{event="sign-in",method="google",outcome="no_access"} 1',
    ]);
  });

  it('count second steps, lockouts and reused refresh tokens', async () => {
    const refresh = text(await service.signIn(), 'refresh');
    await service.refresh(refresh);
    service.passSeconds(11);
    await service.refresh(refresh);
    await service.write({ mfa: app });
    const challenge = await service.challenge();
    for (let tries = 0; tries < 6; tries += 1) await service.enterCode(challenge, '000000');
    expect(await valuesOf('vestibule_events_total', 'second-step')).toEqual([
      'vestibule_events_total{event="second-step",method="",outcome="invalid_code"} 4',
      // The one that brings the lockout, and one that it refuses.
      'vestibule_events_total{event="second-step",method="",outcome="too_many_failed_attempts"} 2',
    ]);
    expect(await valuesOf('lockout')).toEqual([
      'vestibule_events_total{event="lockout",method="challenge",outcome="failure"} 1',
    ]);
    expect(await valuesOf('refresh-reuse')).toEqual([
      'vestibule_events_total{event="refresh-reuse",method="basic",outcome="failure"} 1',
    ]);
  });

  it('time calls by their name and status, without what is in their address', async () => {
    await service.get('/auth/v1/method/ada@example.com');
    await service.get('/no/such/call');
    expect(await valuesOf('vestibule_request_duration_seconds_count')).toEqual([
      'vestibule_request_duration_seconds_count{operation="getLoginMethods",status="200"} 1',
      'vestibule_request_duration_seconds_count{operation="none",status="404"} 1',
    ]);
  });

  it('show hashes and connections', async () => {
    await service.signIn();
    expect(await valuesOf('vestibule_hash_wait_seconds_count')).toEqual([
      'vestibule_hash_wait_seconds_count 1',
    ]);
    expect(await valuesOf('vestibule_hash_queue')).toEqual([
      'vestibule_hash_queue{state="running"} 0',
      'vestibule_hash_queue{state="waiting"} 0',
    ]);
    expect(await valuesOf('vestibule_database_connections{state="waiting"}')).toEqual([
      'vestibule_database_connections{state="waiting"} 0',
    ]);
    expect(await valuesOf('vestibule_database_connections{state="idle"} 0')).toEqual([]);
  });

  it('show the messages that wait and that were given up, and the age of the oldest, of which they ask the database every ten seconds at most', async () => {
    const other = await startTestService();
    await other.write();
    const lengths = async (): Promise<unknown> => {
      const all = await other.service.metrics.metrics();
      const found = all.matchAll(/^vestibule_outbox_(?:messages\{state="(\w+)"\}|(oldest)_seconds) (\d+)$/gm);
      return Object.fromEntries(Array.from(found, ([, state, age, value]) => [state ?? age, Number(value)]));
    };
    const turn = jest.spyOn(performance, 'now');
    const begun = performance.now();
    expect(await lengths()).toEqual({ waiting: 0, failed: 0, oldest: 0 });
    other.outbox.refuse(true);
    await other.forgot();
    for (;;) {
      const [message] = await other.directory.messages.pending();
      if (message?.state === 'failed') break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await lengths()).toEqual({ waiting: 0, failed: 0, oldest: 0 });
    turn.mockReturnValue(begun + 60_000);
    expect(await lengths()).toEqual({ waiting: 0, failed: 1, oldest: 0 });
    // Never answered: it stays in hand.
    other.outbox.treat(() => new Promise(() => undefined));
    void other.forgot();
    while ((await other.directory.messages.pending()).length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    other.passSeconds(30);
    turn.mockReturnValue(begun + 120_000);
    expect(await lengths()).toEqual({ waiting: 1, failed: 1, oldest: 30 });
    other.outbox.treat(() => Promise.resolve());
    await other.close();
    // Without a database the other metrics are still reported.
    turn.mockReturnValue(begun + 180_000);
    expect(await lengths()).toEqual({});
    turn.mockRestore();
  });

  it('start at zero: each event, each outcome of a call, each channel and each work', async () => {
    await using other = await startTestService();
    const scrape = (await other.service.metrics.metrics()).split('\n');
    expect(scrape).toEqual(
      expect.arrayContaining([
        ...auditEvents.map((event) => expect.stringContaining(`{event="${event}",`) as unknown),
        'vestibule_events_total{event="lockout",method="password",outcome="failure"} 0',
        'vestibule_events_total{event="refresh-reuse",method="google",outcome="failure"} 0',
        'vestibule_events_total{event="sign-in",method="microsoft",outcome="unavailable"} 0',
        ...['success', 'refused', 'limited', 'failed'].map(
          (outcome) => `vestibule_calls_total{outcome="${outcome}"} 0`,
        ),
        ...['mail', 'text'].map((channel) => `vestibule_messages_given_up_total{channel="${channel}"} 0`),
        ...['housekeeping', 'messages', 'message', 'reading the signing keys', 'guess warning'].map(
          (work) => `vestibule_background_failures_total{work="${work}"} 0`,
        ),
      ]),
    );
  });

  it('count calls by outcome, and tell whether the process gets calls', async () => {
    await service.signIn();
    await service.signIn({ password: 'wrong' });
    await service.get('/no/such/call');
    expect(await valuesOf('vestibule_calls_total')).toEqual([
      'vestibule_calls_total{outcome="refused"} 1',
      'vestibule_calls_total{outcome="success"} 1',
    ]);
    expect(await valuesOf('vestibule_ready')).toEqual(['vestibule_ready 1']);
  });

  it('count messages that are given up', async () => {
    const other = await startTestService();
    await other.write();
    other.outbox.refuse(true);
    await other.forgot();
    await other.close();
    expect(await other.service.metrics.metrics()).toContain(
      'vestibule_messages_given_up_total{channel="mail"} 1',
    );
  });
});

describe('a proxy that is not trusted', () => {
  const forwarded = { 'X-Forwarded-For': '203.0.113.66' };
  const countOf = async (service: TestService): Promise<string | undefined> =>
    (await service.service.metrics.metrics())
      .split('\n')
      .find((line) => line.startsWith('vestibule_untrusted_forwarding_total '));
  const warnings = ({ log }: TestService) =>
    log.entries().filter(({ event }) => event.startsWith('X-Forwarded-For'));

  it.each<[string, readonly string[]]>([
    ['without TRUSTED_PROXIES', []],
    ['with those of another network', ['10.0.0.0/8']],
  ])('is counted by its requests and warned of once, %s', async (_which, trustedProxies) => {
    await using service = await startTestService({ trustedProxies });
    await service.get('/auth/v1/method/ada@example.com');
    expect(await countOf(service)).toBe('vestibule_untrusted_forwarding_total 0');
    for (let calls = 0; calls < 3; calls += 1)
      await service.send('GET', '/auth/v1/method/ada@example.com', { headers: forwarded });
    await service.send('GET', '/no/such/call', { headers: forwarded });
    expect(await countOf(service)).toBe('vestibule_untrusted_forwarding_total 4');
    expect(warnings(service)).toEqual([
      {
        level: 'warn',
        event: 'X-Forwarded-For is not believed: a proxy of yours belongs into TRUSTED_PROXIES',
        fields: { network: '127.0.0.1' },
      },
    ]);
    expect(service.log.text()).not.toContain('203.0.113.66');
  });

  it('is not one that is trusted', async () => {
    await using service = await startTestService({ trustedProxies: ['127.0.0.1', '::1'] });
    await service.send('GET', '/auth/v1/method/ada@example.com', { headers: forwarded });
    expect(await countOf(service)).toBe('vestibule_untrusted_forwarding_total 0');
    expect(warnings(service)).toEqual([]);
  });
});

describe('the files for Prometheus and Grafana', () => {
  const folder = path.resolve(__dirname, '../deploy/monitoring');
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const alerts = parse(read('alerts.yaml')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  };
  const dashboard = JSON.parse(read('dashboard.json')) as {
    readonly panels: readonly {
      readonly description?: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  /** The metrics of an extension that was deleted are in no scrape. */
  const panels = dashboard.panels.filter(({ description = '' }) => {
    const [, extension] = /^Extension: ([\w-]+)$/.exec(description) ?? [];
    return extension === undefined || extensionNames().includes(extension);
  });
  const expressions = [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  it('name only metrics that a scrape has', async () => {
    const { service, close } = await startTestService();
    collectDefaultMetrics({ register: service.metrics });
    const present = new Set((await service.metrics.getMetricsAsJSON()).map(({ name }) => name));
    await close();
    const named = expressions.flatMap(
      (expr) => expr.match(/\b(?:vestibule|nodejs|process|probe|node|pg)_[a-z0-9_]+/g) ?? [],
    );
    const missing = named.filter((name) => !present.has(name.replace(/_(?:bucket|count|sum)$/, '')));
    // Of blackbox_exporter, node_exporter and postgres_exporter.
    expect([...new Set(missing)]).toEqual([
      'probe_ssl_earliest_cert_expiry',
      'node_textfile_mtime_seconds',
      'node_filesystem_avail_bytes',
      'node_filesystem_size_bytes',
      'pg_replication_lag_seconds',
    ]);
    // Each of the service's own is shown or warned of.
    const own = [...present].filter((name) => name.startsWith('vestibule_'));
    expect(own.filter((name) => !named.some((one) => one.startsWith(name)))).toEqual([]);
  });

  it('say what to do for each alert, in the guide', () => {
    const guide = readFileSync(path.resolve(folder, '../../../../docs/operations.md'), 'utf8');
    const incidents = guide.slice(guide.indexOf('\n# Incidents\n'));
    const said = Array.from(incidents.matchAll(/\*\*`(\w+)`\*\*/g), ([, name]) => name);
    expect(said.sort()).toEqual(alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort());
  });

  it('name only events that are recorded', () => {
    const events = expressions.flatMap((expr) =>
      [...expr.matchAll(/event[=!]~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|')),
    );
    const known: readonly string[] = auditEvents;
    expect(events.filter((event) => !known.includes(event))).toEqual([]);
    expect(events).toContain('sign-in');
  });
});
