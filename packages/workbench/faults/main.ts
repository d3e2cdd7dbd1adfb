/** `npm run faults -w packages/workbench`: what users notice of a fault, measured under a steady load; see packages/service/README.md#faults. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { openMailbox, type DeliveredMail } from '@vestibule/service/testing/mailbox';
import { withClient } from '@vestibule/service/testing/postgres';
import { deploy, follow, program, type Deployed, type Server } from './deployment';
import { emptyTally, lostAfterMs, openUsers, type Reset, type Tally } from './users';

const project = path.resolve(__dirname, '../../..');
const password = 'Steady-load7';
const counts = { accounts: 400, forgetful: 400 };
const everyMs = { signIn: 700, reset: 2_000 };
/** The time before a fault, and after it until the next one. */
const quietMs = { before: 3_000, after: 8_000 };

/** What a fault is done to, and done with. */
interface LocalEnvironment {
  readonly deployed: Deployed;
  readonly mail: { readonly down: () => Promise<void>; readonly up: () => Promise<void> };
  /** Folder of the build of the release before. */
  readonly previous: string | null;
}

interface Fault {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly missing?: (environment: LocalEnvironment) => string | null;
  readonly happen: (environment: LocalEnvironment) => Promise<void>;
}

const faults: readonly Fault[] = [
  {
    name: 'upgrade: the release before, side by side, this one',
    missing: ({ previous }) =>
      previous === null ? 'the clone has no earlier migration in its history' : null,
    happen: async ({ deployed, previous }) => {
      // Both processes are of the previous release; see `main`.
      await deployed.vestibule(['migrate']);
      await renew(deployed, [0]);
      await pause(5_000);
      await renew(deployed, [1]);
      await pause(3_000);
      // And back again, because something was wrong.
      await renew(deployed, [0], previous);
      await pause(5_000);
      await renew(deployed, [0]);
    },
  },
  { name: 'none', happen: () => pause(10_000) },
  {
    name: 'a process killed (SIGKILL), started again after 2 s',
    happen: async ({ deployed: { nodes } }) => {
      for (const node of nodes) {
        node.signal('SIGKILL');
        await node.gone();
        await pause(2_000);
        await node.start();
        await pause(2_000);
      }
    },
  },
  {
    name: 'a process stopped for 10 s (SIGSTOP)',
    happen: async ({ deployed: { nodes } }) => {
      nodes[0].signal('SIGSTOP');
      await pause(10_000);
      nodes[0].signal('SIGCONT');
      await pause(5_000);
    },
  },
  {
    name: 'PostgreSQL restarted',
    happen: async ({ deployed: { primary } }) => {
      await primary.stop('fast');
      await pause(1_000);
      await primary.start();
    },
  },
  {
    name: 'the disk of PostgreSQL full for 5 s',
    missing: ({ deployed }) =>
      deployed.fillDisk === null ? 'needs a file system of its own, which only root can mount' : null,
    happen: async ({ deployed: { fillDisk, primary } }) => {
      const free = fillDisk?.();
      await pause(5_000);
      free?.();
      // The server has ended if it could not recover from the crash.
      await primary.start().catch(() => undefined);
    },
  },
  {
    name: 'the mail server down for 8 s',
    happen: async ({ mail }) => {
      await mail.down();
      await pause(8_000);
      await mail.up();
      await pause(6_000);
    },
  },
  {
    name: 'the encryption key rotated, with three restarts in turn',
    happen: async ({ deployed }) => {
      const [former, next] = [deployed.read('encryption-key').trim(), randomBytes(32).toString('base64')];
      for (const keys of [
        [former, next],
        [next, former],
      ]) {
        deployed.write('encryption-key', keys.join('\n'));
        await renew(deployed, [0, 1]);
      }
      await deployed.vestibule(['keys', 'reseal']);
      deployed.write('encryption-key', next);
      await renew(deployed, [0, 1]);
    },
  },
  {
    name: 'a signing key rotated',
    happen: async ({ deployed: { vestibule, primary } }) => {
      await vestibule(['keys', 'rotate']);
      // The key would sign after a quarter of an hour. Every process has read it after a minute.
      await primary.sql(
        "update signing_keys set created_at = now() + interval '62 seconds' where created_at > now()",
      );
      await pause(75_000);
    },
  },
  {
    name: 'the primary lost, the standby promoted after 2 s',
    happen: async ({ deployed: { primary, standby } }) => {
      await primary.stop('immediate');
      await pause(2_000);
      await standby.promote();
    },
  },
];

/** Restarts processes one after another, as an operator does. */
async function renew({ nodes }: Deployed, which: readonly number[], build?: string | null): Promise<void> {
  for (const index of which) {
    const node = nodes[index];
    await node?.stop();
    await node?.start(build ?? undefined);
  }
}

async function main(): Promise<boolean> {
  const previous = buildPrevious();
  const deployed = await deploy(project);
  process.once('exit', () => {
    deployed.remove();
    if (previous !== null) rmSync(previous, { recursive: true, force: true });
  });
  const mails = new Map<string, DeliveredMail[]>();
  const links = new Map<string, string>();
  const { nodes } = deployed;
  for (const node of nodes) await node.start(previous ?? undefined);
  await addAccounts(deployed, previous);
  const read = async (box: Awaited<ReturnType<typeof openMailbox>>): Promise<void> => {
    for (;;) {
      const mail = await box.nextMail();
      const [to = ''] = mail.envelope.to;
      mails.set(to, [...(mails.get(to) ?? []), mail]);
      const link = /\/reset-password\/([\w-]+)/.exec(mail.mail.text ?? '')?.[1];
      if (link !== undefined) links.set(to, link);
    }
  };
  let box = await openMailbox({ port: deployed.smtpPort });
  void read(box);
  const environment: LocalEnvironment = {
    deployed,
    previous,
    mail: {
      down: () => box.close(),
      up: async () => {
        box = await openMailbox({ port: deployed.smtpPort });
        void read(box);
      },
    },
  };
  const users = openUsers({
    httpsPort: deployed.deployment.httpsPort,
    ca: deployed.ca,
    password,
    usernames: namesOf('user', counts.accounts),
    forgetful: namesOf('forgetful', counts.forgetful),
    resetLink: (email) => links.get(email),
    everyMs,
    // Each user signs in on the page, and then stays in an application.
    isInApplication: process.argv.includes('--kit'),
  });
  const rows: { readonly fault: Fault; readonly tally: Tally; readonly missing: string | null }[] = [];
  for (const fault of faults) {
    const missing = fault.missing?.(environment) ?? null;
    const tally = emptyTally();
    rows.push({ fault, tally, missing });
    if (missing === null) {
      users.countIn(tally);
      await pause(quietMs.before);
      await fault.happen(environment);
      await pause(quietMs.after);
      console.log(
        `${fault.name}: ${JSON.stringify({ ...tally, reasons: Object.fromEntries(tally.reasons) })}`,
      );
    }
    if (fault !== faults[0]) continue;
    // The release before knows one server. What this costs belongs to no row.
    users.countIn(emptyTally());
    await addStandby(deployed);
  }
  await users.leave();
  await untilMailsCame(users.resets, mails);
  await box.close();
  const isKept = printTable(rows, users.resets, mails);
  for (const node of nodes) await node.stop();
  return isKept;
}

/** Adds a standby that has everything that was committed. */
async function addStandby(deployed: Deployed): Promise<void> {
  const { primary, standby, write } = deployed;
  await follow(primary, standby);
  await primary.sql("alter system set synchronous_standby_names = '*'");
  await primary.sql('select pg_reload_conf()');
  write('database-url', `${bothServers(primary, standby)}\n`);
  await renew(deployed, [0, 1]);
}

/** One connection string for both servers. The service finds the one that accepts writes. */
const bothServers = (one: Server, other: Server): string =>
  one.url.replace(`127.0.0.1:${one.port}`, `127.0.0.1:${one.port},127.0.0.1:${other.port}`);

const namesOf = (who: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_unused, index) => `${who}-${index}@example.test`);

/** Creates one account by the command line and copies of it, because a hash of each would take a minute. */
async function addAccounts({ vestibule, primary }: Deployed, build: string | null): Promise<void> {
  await vestibule(
    [
      ...['accounts', 'create', 'first@example.test', '--first-name', 'Ada', '--last-name', 'Lovelace'],
      ...['--application', 'ledger=https://ledger.apps.example.test/', '--password-stdin'],
    ],
    { input: `${password}\n`, build },
  );
  const names = [...namesOf('user', counts.accounts), ...namesOf('forgetful', counts.forgetful)];
  await withClient(primary.url, async (client) => {
    await client.query(
      `insert into users select (jsonb_populate_record(u, jsonb_build_object(
         'uid', 'u_' || name, 'username', name, 'username_key', name,
         'email', name, 'email_key', name, 'email_key_of', name))).*
       from users u, unnest($1::text[]) name where u.username = 'first@example.test'`,
      [names],
    );
    await client.query(
      `insert into login_methods select (jsonb_populate_record(m, jsonb_build_object('uid', 'u_' || name))).*
       from login_methods m, unnest($1::text[]) name`,
      [names],
    );
  });
}

/**
 * The service as it was before the newest migration, built from the history of the clone: the release before that differs most from
 * this one. @returns `null` where the history does not have it.
 */
function buildPrevious(): string | null {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-before-'));
  try {
    const newest = git(
      'log',
      '-1',
      '--diff-filter=A',
      '--format=%H',
      '-M',
      '--',
      ':(glob)packages/service/src/**/[0-9][0-9][0-9][0-9]_*.ts',
    );
    const archive = path.join(folder, 'sources.tar');
    git('archive', '-o', archive, `${newest}^`);
    execFileSync('tar', ['xf', archive, '-C', folder]);
  } catch {
    return null;
  }
  const configuration = path.join(folder, 'packages/service/tsconfig.build.json');
  if (!existsSync(configuration)) return null;
  // The libraries of this release, and the contract of that one.
  symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, 'packages/node_modules/@vestibule'), { recursive: true });
  symlinkSync(
    path.join(folder, 'packages/contract'),
    path.join(folder, 'packages/node_modules/@vestibule/contract'),
  );
  const tsc = path.join(project, 'node_modules/typescript7/bin/tsc');
  execFileSync(process.execPath, [tsc, '--build', configuration], { stdio: 'inherit' });
  if (!existsSync(path.join(folder, program))) throw new Error('The release before was not built.');
  return folder;
}

const mailsOf = (mails: ReadonlyMap<string, readonly DeliveredMail[]>, { email }: Reset) => {
  const own = mails.get(email) ?? [];
  const links = own.filter(({ mail }) => mail.subject === 'Reset your password');
  return { links: links.length, notices: own.length - links.length };
};

/** A process that was killed has its messages for a minute. */
async function untilMailsCame(
  resets: readonly Reset[],
  mails: ReadonlyMap<string, readonly DeliveredMail[]>,
): Promise<void> {
  const end = Date.now() + lostAfterMs;
  const isWaiting = (): boolean =>
    resets.some((reset) => {
      const { links, notices } = mailsOf(mails, reset);
      return (reset.askedAt !== null && links === 0) || (reset.done && notices === 0);
    });
  while (isWaiting() && Date.now() < end) await pause(500);
  // What would come twice comes now.
  await pause(7_000);
}

/** @returns whether every aim was met. */
function printTable(
  rows: readonly { readonly fault: Fault; readonly tally: Tally; readonly missing: string | null }[],
  resets: readonly Reset[],
  mails: ReadonlyMap<string, readonly DeliveredMail[]>,
): boolean {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  let isKept = true;
  const lines = rows.map(({ fault: { name }, tally, missing }) => {
    if (missing !== null) return `| ${name} | not tried: ${missing} |`;
    const own = resets.filter((reset) => reset.tally === tally);
    const sum = (count: (reset: Reset) => number): number =>
      own.reduce((all, reset) => all + count(reset), 0);
    const came = sum((reset) => mailsOf(mails, reset).links + mailsOf(mails, reset).notices);
    const lost = sum((reset) => {
      const { links, notices } = mailsOf(mails, reset);
      return (reset.askedAt !== null && links === 0 ? 1 : 0) + (reset.done && notices === 0 ? 1 : 0);
    });
    const doubled = sum((reset) => {
      const { links, notices } = mailsOf(mails, reset);
      return Math.max(0, links - 1) + Math.max(0, notices - 1);
    });
    isKept &&= tally.failedSignIns + tally.lostSessions + lost + doubled === 0;
    const { signIns, failedSignIns, refreshes, lostSessions, failedResets } = tally;
    const figures = [
      `${failedSignIns} of ${signIns}`,
      `${lostSessions} (${refreshes} refreshes)`,
      `${failedResets} of ${tally.resets}`,
      `${lost} and ${doubled} of ${came}`,
      seconds(tally.longestSignInMs),
      seconds(tally.longestRefreshMs),
    ];
    return `| ${name} | ${figures.join(' | ')} |`;
  });
  const head = [
    'fault',
    'sign-ins failed',
    'sessions lost',
    'resets failed',
    'mails lost and doubled',
    'longest sign-in call, s',
    'longest refresh, s',
  ];
  console.log(`\n| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n${lines.join('\n')}\n`);
  return isKept;
}

// What was started is ended at the exit of the process, also of one that is interrupted.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
main().then(
  (isKept) => process.exit(isKept ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
