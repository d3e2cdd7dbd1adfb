import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { findPromtool, findSystemdAnalyze } from '../../../scripts/setup/programs.mjs';

const deploy = path.resolve(__dirname, '../deploy');
const rulesFile = path.join(deploy, 'monitoring/alerts.yaml');

/** The values of an hour, one a minute, as promtool writes them: healthy. */
const healthy: Readonly<Record<string, string>> = {
  'up{job="vestibule",instance="a"}': '1x60',
  'vestibule_ready{instance="a"}': '1x60',
  'vestibule_clock_ahead_seconds{instance="a"}': '-0.2x60',
  'vestibule_calls_total{outcome="success"}': '0+600x60',
  'vestibule_calls_total{outcome="failed"}': '0x60',
  'vestibule_calls_total{outcome="limited"}': '0x60',
  'vestibule_request_duration_seconds_count{operation="createToken"}': '0+60x60',
  'vestibule_request_duration_seconds_bucket{operation="createToken",le="1"}': '0+60x60',
  'vestibule_request_duration_seconds_bucket{operation="createToken",le="5"}': '0+60x60',
  'vestibule_request_duration_seconds_bucket{operation="createToken",le="+Inf"}': '0+60x60',
  'vestibule_events_total{event="sign-in",method="basic",outcome="success"}': '0+60x60',
  'vestibule_events_total{event="sign-in",method="basic",outcome="invalid_credentials"}': '0+6x60',
  'vestibule_events_total{event="sign-in",method="google",outcome="unavailable"}': '0x60',
  'vestibule_events_total{event="refresh-reuse",method="basic",outcome="failure"}': '0x60',
  'vestibule_events_total{event="lockout",method="password",outcome="failure"}': '0x60',
  'vestibule_hash_queue{state="waiting"}': '3x60',
  'vestibule_database_connections{state="waiting"}': '0x60',
  'vestibule_background_failures_total{work="housekeeping"}': '0x60',
  'vestibule_messages_given_up_total{channel="mail"}': '0x60',
  vestibule_outbox_oldest_seconds: '20x60',
  'vestibule_text_messages{state="requested"}': '700x60',
  'vestibule_text_messages{state="limit"}': '1000x60',
  nodejs_eventloop_lag_p99_seconds: '0.02x60',
  'probe_ssl_earliest_cert_expiry{instance="login"}': '2592000x60',
  'node_textfile_mtime_seconds{file="/textfiles/vestibule-backup.prom"}': '0x60',
  'node_filesystem_avail_bytes{mountpoint="/",fstype="ext4"}': '40x60',
  'node_filesystem_size_bytes{mountpoint="/",fstype="ext4"}': '100x60',
  'pg_replication_lag_seconds{instance="b"}': '1x60',
};

/** What makes each alert fire after an hour, and no other one unless it is named. `null`: without the series. */
const faults: readonly (readonly [
  alert: string,
  series: string,
  values: string | null,
  ...others: readonly string[],
])[] = [
  ['VestibuleDown', 'up{job="vestibule",instance="a"}', '1x55 0x5'],
  ['VestibuleDown', 'up{job="vestibule",instance="a"}', null],
  ['VestibuleNotReady', 'vestibule_ready{instance="a"}', '1x57 0x3'],
  ['VestibuleClock', 'vestibule_clock_ahead_seconds{instance="a"}', '0x57 43200000x3'],
  ['VestibuleClock', 'vestibule_clock_ahead_seconds{instance="a"}', '0x57 -61x3'],
  ['VestibuleErrors', 'vestibule_calls_total{outcome="failed"}', '0x45 0+12x15'],
  ['VestibuleSlow', 'vestibule_request_duration_seconds_bucket{operation="createToken",le="1"}', '0+55x60'],
  [
    'VestibuleRefusals',
    'vestibule_events_total{event="sign-in",method="basic",outcome="invalid_credentials"}',
    '0+70x60',
  ],
  ['VestibuleRateLimited', 'vestibule_calls_total{outcome="limited"}', '0+7x60'],
  [
    'VestibuleProviderFails',
    'vestibule_events_total{event="sign-in",method="google",outcome="unavailable"}',
    '0x50 1 2 3 4x7',
  ],
  [
    'VestibuleRefreshReuse',
    'vestibule_events_total{event="refresh-reuse",method="basic",outcome="failure"}',
    '0x55 1x4',
  ],
  [
    'VestibuleLockouts',
    'vestibule_events_total{event="lockout",method="password",outcome="failure"}',
    '0x50 0+3x10',
  ],
  ['VestibuleHashQueue', 'vestibule_hash_queue{state="waiting"}', '3x55 40x5'],
  ['VestibuleDatabaseConnections', 'vestibule_database_connections{state="waiting"}', '0x55 2x5'],
  ['VestibuleBackgroundFailures', 'vestibule_background_failures_total{work="housekeeping"}', '0x55 1x4'],
  ['VestibuleMessagesGivenUp', 'vestibule_messages_given_up_total{channel="mail"}', '0x55 1x4'],
  ['VestibuleOutbox', 'vestibule_outbox_oldest_seconds', '0+60x60'],
  ['VestibuleTextMessages', 'vestibule_text_messages{state="requested"}', '700x58 801x2'],
  ['VestibuleEventLoop', 'nodejs_eventloop_lag_p99_seconds', '0.02x50 0.4x10'],
  ['VestibuleCertificate', 'probe_ssl_earliest_cert_expiry{instance="login"}', '1200000x60'],
  ['VestibuleCertificate', 'probe_ssl_earliest_cert_expiry{instance="login"}', null],
  ['VestibuleBackup', 'node_textfile_mtime_seconds{file="/textfiles/vestibule-backup.prom"}', '-90001x60'],
  ['VestibuleBackup', 'node_textfile_mtime_seconds{file="/textfiles/vestibule-backup.prom"}', null],
  ['VestibuleDisk', 'node_filesystem_avail_bytes{mountpoint="/",fstype="ext4"}', '40x50 14x10'],
  ['VestibuleStandby', 'pg_replication_lag_seconds{instance="b"}', '1x55 31x5'],
];

const caseOf = (name: string, series: Readonly<Record<string, string>>, fires: readonly string[]) => ({
  name,
  interval: '1m',
  input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '1h',
      exp_samples: fires.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

/** What a program printed. @throws Error with that, if it failed. */
function outputOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}

const promtool = findPromtool() ?? '';
const describeWithPromtool = promtool === '' ? describe.skip : describe;
const systemdAnalyze = findSystemdAnalyze() ?? '';
const describeWithSystemd = systemdAnalyze === '' ? describe.skip : describe;

describeWithPromtool('the alerts', () => {
  const run = (cases: readonly object[]): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-alerts-'));
    const file = path.join(folder, 'cases.yaml');
    try {
      writeFileSync(file, stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests: cases }));
      return outputOf(promtool, ['test', 'rules', file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('fire where something is wrong, each alone and at its first sign, and never otherwise', () => {
    const cases = faults.map(([alert, series, values, ...others]) => {
      const { [series]: _healthy, ...rest } = healthy;
      const all = values === null ? rest : { ...rest, [series]: values };
      return caseOf(`${alert} ${String(values)}`, all, [alert, ...others].sort());
    });
    expect(run([caseOf('healthy', healthy, []), ...cases])).toContain('SUCCESS');
  });

  it('that do not fire as a case says are reported', () => {
    expect(() => run([caseOf('healthy', healthy, ['VestibuleDown'])])).toThrow('FAILED');
  });

  it('have a case each', () => {
    const { groups } = parse(readFileSync(rulesFile, 'utf8')) as {
      readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect([...new Set(faults.map(([alert]) => alert))].sort()).toEqual(alerts.sort());
  });
});

describeWithSystemd('the unit of systemd', () => {
  it('has an exposure of 1.5 at most', () => {
    const unit = path.join(deploy, 'vestibule.service');
    const printed = outputOf(systemdAnalyze, ['security', '--offline=yes', '--no-pager', unit]);
    const [, exposure] = /Overall exposure level for vestibule\.service: ([\d.]+)/.exec(printed) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(1.5);
  });
});
