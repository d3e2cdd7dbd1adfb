import { randomBytes } from 'node:crypto';
import { forgotRequest } from '../src/password/forgotPassword.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { createBackground } from '../src/platform/background.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { createMessageDirectory } from '../src/core/messages/messageDirectory.ts';
import type { NewMessage } from '../src/core/messages/messageStore.ts';
import { createMessages, type Messages, type MessagesContext } from '../src/core/messages/messages.ts';
import { MessageDelayed, MessageRefused, type Mail, type Outbox } from '../src/platform/outbox/outbox.ts';
import { webhookText } from '../src/platform/outbox/textProvider.ts';
import { resealStoredSecrets } from '../src/core/keys/sealStoredSecrets.ts';
import { createSecretBox } from '../src/platform/security/secretBox.ts';
import { anObjectWith } from './support/matchers.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { recordingLogger, type RecordedLog } from './support/recordingLogger.ts';
import { outcome, sms } from './support/secondStep.ts';
import { ada, startTestService, type TestService } from './support/testService.ts';
import { openTextReceiver, type TextReceiver } from './support/textReceiver.ts';

const key = randomBytes(32).toString('base64');
const second = 1000;
const day = 86_400 * second;

const words = {
  subject: (subject: string) => ({ id: 'test.subject', message: '{subject}', values: { subject } }),
  code: { id: 'test.code', message: '123456 is your code.' },
};
const mail = (subject = 'Hello'): NewMessage => ({
  channel: 'mail',
  kind: 'reset',
  content: {
    to: ada,
    letter: {
      subject: words.subject(subject),
      parts: [{ url: 'https://login.example.com/reset/secret', label: words.subject('Open') }],
    },
  },
});
const code = (now: number): NewMessage => ({
  channel: 'text',
  kind: 'code',
  content: { to: '+12025550143', text: words.code, suffix: '' },
  expiresAt: new Date(now + 600 * second),
});

/** A mail server whose answer the test gives. */
function hangingMail() {
  let onBegin: () => void = () => undefined;
  let end: (refusal?: Error) => void = () => undefined;
  const isUnderWay = new Promise<void>((resolve) => (onBegin = resolve));
  const sendMail = () =>
    new Promise<void>((resolve, reject) => {
      end = (refusal) => {
        if (refusal === undefined) resolve();
        else reject(refusal);
      };
      onBegin();
    });
  return {
    outbox: { sendMail },
    isUnderWay,
    end: (refusal?: Error) => {
      end(refusal);
    },
  };
}

/** A process of the service. */
interface Node {
  readonly messages: Messages;
  readonly log: RecordedLog;
  readonly settle: () => Promise<void>;
  readonly database: Database<Tables>;
}

describe('the outbox', () => {
  let url: string;
  let now: number;
  let nodes: Node[];
  let sent: { readonly content: unknown; readonly id: string }[];

  const keep: Outbox = {
    sendMail: (content, { id }) => Promise.resolve(void sent.push({ content, id })),
    sendTextMessage: (content, { id }) => Promise.resolve(void sent.push({ content, id })),
  };
  const subjects = () => sent.map(({ content }) => (content as Mail).subject);

  const start = async (outbox: Outbox = keep, more: Partial<MessagesContext> = {}): Promise<Node> => {
    const log = recordingLogger();
    const database = await connect<Tables>({ url }, log.logger);
    const background = createBackground(log.logger, () => undefined);
    const messages = createMessages({
      db: database.db,
      settings: { now: () => now, outbox, logger: log.logger, languages: ['en'] },
      secretBox: createSecretBox(key),
      onSent: () => Promise.resolve(),
      background,
      onGivenUp: () => undefined,
      posts: {},
      requests: ['forgot'],
      onRequest: () => Promise.resolve([]),
      ...more,
    });
    const node = { messages, log, settle: () => background.settle(60_000), database };
    nodes.push(node);
    return node;
  };
  /** Writes a message in a transaction of its own. */
  const write = <Other = never>({ messages, database }: Node, message: NewMessage<Other>) =>
    database.db.transaction().execute((trx) => messages.write(trx, message));
  /** Writes it, and waits for the end of the first try, however long that takes. */
  const send = async <Other = never>(node: Node, message: NewMessage<Other>): Promise<void> => {
    node.messages.sendSoon(await write(node, message));
    await node.settle();
  };
  const directory = () => {
    const [node] = nodes;
    if (node === undefined) throw new Error('No node was started.');
    return createMessageDirectory(node.database.db, () => now);
  };
  const pending = () => directory().pending();

  beforeEach(async () => {
    url = await newDatabase();
    now = Date.UTC(2026, 2, 14, 9, 26, 53);
    nodes = [];
    sent = [];
    // These tests say themselves when a pause is over.
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date', 'setInterval'],
    });
  });
  afterEach(async () => {
    jest.useRealTimers();
    for (const { settle, database } of nodes) {
      await settle();
      await database.close();
    }
  });

  it('sends a message after its transaction, and keeps nothing of it', async () => {
    const node = await start();
    const message = await write(node, mail());
    expect(sent).toEqual([]);
    expect(await node.messages.sendNow(message)).toBe('taken');
    expect(subjects()).toEqual(['Hello']);
    expect(await pending()).toEqual([]);
  });

  it('sends nothing for a transaction that was rolled back', async () => {
    const node = await start();
    const failing = node.database.db.transaction().execute(async (trx) => {
      await node.messages.write(trx, mail());
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    now += day;
    await node.messages.sendDue();
    expect([sent, await pending()]).toEqual([[], []]);
  });

  it('stores neither address nor text in a readable form, and lists neither', async () => {
    const node = await start();
    await write(node, mail());
    await write(node, code(now));
    const rows = await withClient(url, (client) => client.query('select * from outbox_messages'));
    const told = JSON.stringify([rows.rows, await pending()]);
    expect(rows.rows).toHaveLength(2);
    for (const secret of ['ada@example', 'Hello', '2025550143', '123456']) expect(told).not.toContain(secret);
  });

  it('posts to one address while another one hangs, and to that one few at once', async () => {
    const [hanging, other] = ['https://hangs.example.com/', 'https://other.example.com/'];
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const post = (content: unknown) => {
      const { to } = content as { readonly to: string };
      begun.push(to);
      return to === hanging ? new Promise<void>((resolve) => ends.push(resolve)) : Promise.resolve();
    };
    const node = await start(keep, { posts: { events: post } });
    const event = (to: string) =>
      ({ channel: 'events', kind: 'events', receiver: to, content: { to } }) as unknown as NewMessage;
    for (let count = 0; count < 12; count += 1) await write(node, event(hanging));
    await write(node, event(other));
    now += 60 * second;
    const due = node.messages.sendDue();
    while (begun.length < 6) await new Promise((resolve) => setImmediate(resolve));
    expect(begun.filter((to) => to === hanging)).toHaveLength(5);
    expect(begun.filter((to) => to === other)).toHaveLength(1);
    // What is written now is sent at once to the other address, and waits for this one.
    expect(await node.messages.sendNow(await write(node, event(other)))).toBe('taken');
    expect(await node.messages.sendNow(await write(node, event(hanging)))).toBe('waiting');
    expect(begun).toHaveLength(7);
    while ((await pending()).length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await due;
    expect(begun.filter((to) => to === hanging)).toHaveLength(13);
  });

  it('of a process that was killed is sent by another one, a minute later', async () => {
    const [killed, other] = [await start(), await start()];
    await write(killed, mail());
    now += 59 * second;
    await other.messages.sendDue();
    expect(sent).toEqual([]);
    now += second;
    await other.messages.sendDue();
    expect(subjects()).toEqual(['Hello']);
    expect(await pending()).toEqual([]);
  });

  it('is sent once by two processes that take from it at the same time', async () => {
    const [one, other] = [await start(), await start()];
    const all = Array.from({ length: 50 }, (_unused, index) => `mail ${index}`);
    for (const subject of all) await write(one, mail(subject));
    now += 60 * second;
    await Promise.all([one.messages.sendDue(), other.messages.sendDue()]);
    expect(subjects().sort()).toEqual([...all].sort());
    expect(new Set(sent.map(({ id }) => id)).size).toBe(50);
    expect(await pending()).toEqual([]);
  });

  it('is not sent by a process that slept until another one took the message over', async () => {
    const [sleeper, other] = [await start(), await start()];
    const message = await write(sleeper, mail());
    now += 61 * second;
    await other.messages.sendDue();
    expect(await sleeper.messages.sendNow(message)).toBe('waiting');
    expect(subjects()).toEqual(['Hello']);
  });

  it.each([
    ['for now', new MessageDelayed('EMESSAGE-451')],
    ['for good', new MessageRefused('EENVELOPE-550')],
  ])(
    'is left to the process that took it over when the earlier try is refused %s',
    async (_what, refusal) => {
      const [early, late] = [hangingMail(), hangingMail()];
      const [slow, other] = [await start(early.outbox), await start(late.outbox)];
      const outcomeOfSlow = slow.messages.sendNow(await write(slow, mail()));
      await early.isUnderWay;
      now += 60 * second;
      const due = other.messages.sendDue();
      await late.isUnderWay;
      early.end(refusal);
      expect(await outcomeOfSlow).toBe('waiting');
      const dueAt = new Date(now + 60 * second);
      expect(await pending()).toMatchObject([{ state: 'waiting', attempts: 2, dueAt, lastError: null }]);
      expect(slow.log.text()).not.toContain('message given up');
      late.end();
      await due;
      expect(await pending()).toEqual([]);
    },
  );

  it('is tried again under the same id, after pauses that grow, for a day; then the log and the list tell', async () => {
    const ids = new Set<string>();
    const fail: Outbox = {
      sendMail: (_mail, { id }) => {
        ids.add(id);
        return Promise.reject(new MessageDelayed('EMESSAGE-451'));
      },
    };
    const node = await start(fail);
    const begin = now;
    await send(node, mail());
    let tries = 1;
    for (let [one] = await pending(); one?.dueAt instanceof Date; [one] = await pending()) {
      const pause = one.dueAt.getTime() - now;
      const longest = Math.min(900, 2 * 2 ** (tries - 1)) * second;
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
      expect(one).toMatchObject({ state: 'waiting', attempts: tries, lastError: 'EMESSAGE-451' });
      now += pause;
      await node.messages.sendDue();
      tries += 1;
    }
    expect(now - begin).toBeGreaterThan(day - 901 * second);
    expect(now - begin).toBeLessThan(day);
    expect(await pending()).toMatchObject([{ state: 'failed', kind: 'reset', dueAt: null }]);
    expect(ids.size).toBe(1);
    expect(node.log.entries()).toContainEqual(
      anObjectWith({
        level: 'warn',
        event: 'message given up',
        fields: anObjectWith({ reason: 'EMESSAGE-451' }),
      }),
    );
  });

  it('that no process could send in time is given up and not sent', async () => {
    const node = await start();
    await write(node, code(now));
    now += 601 * second;
    await node.messages.sendDue();
    expect(sent).toEqual([]);
    expect(await pending()).toMatchObject([{ state: 'failed', kind: 'code', lastError: 'expired' }]);
  });

  it('leaves a server alone for as long as it asks', async () => {
    const node = await start({ sendMail: () => Promise.reject(new MessageDelayed('http-429', 120)) });
    await send(node, mail());
    expect((await pending())[0]?.dueAt?.getTime()).toBe(now + 120 * second);
  });

  it('gives a message up at once when it is refused, and sends it when the operator retries it', async () => {
    let isMended = false;
    const node = await start({
      sendMail: (...given) =>
        isMended
          ? (keep.sendMail?.(...given) ?? Promise.resolve())
          : Promise.reject(new MessageRefused('EENVELOPE-550')),
    });
    expect(await node.messages.sendNow(await write(node, mail()))).toBe('refused');
    expect(await pending()).toMatchObject([{ state: 'failed', attempts: 1, lastError: 'EENVELOPE-550' }]);
    now += 2 * day;
    await node.messages.sendDue();
    isMended = true;
    expect(await directory().retry('failed')).toBe(1);
    await node.messages.sendDue();
    expect(subjects()).toEqual(['Hello']);
    expect(await pending()).toEqual([]);
  });

  it('drops a message that the operator names, and no other', async () => {
    const node = await start();
    await write(node, mail('one'));
    await write(node, mail('other'));
    const [first] = await pending();
    expect(await directory().drop([first?.id ?? ''])).toBe(1);
    expect(await directory().drop('failed')).toBe(0);
    now += 60 * second;
    await node.messages.sendDue();
    expect(sent).toHaveLength(1);
  });

  it('sends a code no longer than it is good for, and does not retry it then', async () => {
    let isDown = true;
    const lives: (number | null)[] = [];
    const node = await start({
      sendTextMessage: (_message, { lifeSeconds }) => {
        lives.push(lifeSeconds);
        return isDown ? Promise.reject(new MessageDelayed('http-500')) : Promise.resolve();
      },
    });
    await send(node, code(now));
    now += 599 * second;
    await node.messages.sendDue();
    isDown = false;
    now += second;
    await node.messages.sendDue();
    expect(lives).toEqual([600, 1]);
    expect(await pending()).toMatchObject([{ state: 'failed', attempts: 2 }]);
    expect(await directory().retry('failed')).toBe(0);
  });

  it('sends of two codes for the same only the newer one', async () => {
    const node = await start();
    await write(node, { ...code(now), topic: 'challenge 1' });
    await write(node, { ...code(now), topic: 'challenge 2' });
    await write(node, { ...code(now), topic: 'challenge 1' });
    expect(await pending()).toHaveLength(2);
  });

  it('keeps no user waiting for a provider that hangs, and sends mails meanwhile', async () => {
    jest.useRealTimers();
    const release: (() => void)[] = [];
    let onLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => (onLast = resolve));
    const node = await start({
      ...keep,
      sendTextMessage: () =>
        new Promise((resolve) => {
          if (release.push(resolve) === 31) onLast();
        }),
    });
    for (let count = 0; count < 30; count += 1) node.messages.sendSoon(await write(node, code(now)));
    expect(await node.messages.sendNow(await write(node, code(now)))).toBe('waiting');
    await node.messages.sendNow(await write(node, mail()));
    expect(subjects()).toEqual(['Hello']);
    expect(release).toHaveLength(30);
    for (const one of release) one();
    // The one that found no place gets one now.
    await last;
    release.at(-1)?.();
    await node.settle();
    expect(await pending()).toEqual([]);
  });

  it('waits for a provider that hangs no longer than its caller has time', async () => {
    jest.useRealTimers();
    let release: () => void = () => undefined;
    const node = await start({
      ...keep,
      sendTextMessage: () => new Promise((resolve) => (release = resolve)),
    });
    const message = await write(node, code(now));
    const began = performance.now();
    expect(await node.messages.sendNow(message, 10)).toBe('waiting');
    expect(performance.now() - began).toBeLessThan(3000);
    release();
    await node.settle();
    expect(await pending()).toEqual([]);
  });

  it('leaves messages alone in a process that cannot send them', async () => {
    const [able, unable] = [await start(), await start({})];
    await write(able, mail());
    now += 60 * second;
    await unable.messages.sendDue();
    expect(await pending()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await able.messages.sendDue();
    expect(subjects()).toEqual(['Hello']);
  });

  it('refuses at once what nothing is configured for, and writes nothing', async () => {
    const node = await start({});
    expect(await node.messages.sendNow(await write(node, code(now)))).toBe('refused');
    expect(await pending()).toEqual([]);
    expect(node.log.text()).toContain('message not sent: nothing is configured for it');
  });

  it('sends once though PostgreSQL drops every connection while the message is under way', async () => {
    const node = await start({
      sendMail: async (content, { id }) => {
        sent.push({ content, id });
        await withClient(url, (client) =>
          client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`),
        );
      },
    });
    await send(node, mail());
    expect(await pending()).toEqual([]);
    now += day;
    await node.messages.sendDue();
    expect(sent).toHaveLength(1);
  });

  it('writes the mails of a forgotten password once, whatever fails on the way', async () => {
    const origin = { network: null, device: null };
    const request = { channel: forgotRequest, kind: 'forgot', content: { email: ada, origin } };
    let fails = true;
    const node: Node = await start(keep, {
      onRequest: async (trx, { content }) => {
        const { email } = content as typeof request.content;
        const mails = [await node.messages.write(trx, mail(`for ${email}`))];
        if (fails) throw new Error('The database is away.');
        return mails;
      },
    });
    node.messages.sendSoon(await write(node, request));
    await node.settle();
    expect(sent).toEqual([]);
    expect(await pending()).toMatchObject([{ channel: 'forgot', state: 'waiting', attempts: 1 }]);
    fails = false;
    now += 2 * second;
    await node.messages.sendDue();
    await node.settle();
    expect(subjects()).toEqual(['for ada@example.com']);
    expect(await pending()).toEqual([]);
  });

  it('is sealed again when the encryption key is rotated', async () => {
    const next = randomBytes(32).toString('base64');
    const before = await start();
    await write(before, mail());
    const { db } = before.database;
    await expect(resealStoredSecrets(db, createSecretBox(next))).rejects.toThrow('does not open');
    expect(await resealStoredSecrets(db, createSecretBox(`${next},${key}`))).toBe(1);
    const after = await start(keep, { secretBox: createSecretBox(next) });
    now += 60 * second;
    await after.messages.sendDue();
    expect(subjects()).toEqual(['Hello']);
  });
});

describe('a sign-in by text message, with a provider', () => {
  let provider: TextReceiver;
  let service: TestService;

  const codes = () => provider.calls().map(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? 'none');
  const ids = () => provider.calls().map(({ headers }) => headers['webhook-id']);

  beforeEach(async () => {
    provider = await openTextReceiver();
    service = await startTestService({
      now: Date.now,
      outbox: webhookText({ url: provider.url, secret: randomBytes(32).toString('base64') }),
    });
    await service.write({ mfa: sms });
  });
  afterEach(async () => {
    await provider.close();
    await service.close();
  });

  it.each([
    ['fails once', { status: 500 }],
    ['hangs up after it took the message', 'cut'],
  ] as const)('that %s gets the code again under the same id, and it is good', async (_what, treatment) => {
    provider.treat(treatment, { status: 201 });
    const challenge = await service.challenge();
    await provider.untilCalls(2);
    const [first = '', second] = codes();
    expect([second, new Set(ids()).size]).toEqual([first, 1]);
    expect((await service.enterCode(challenge, first)).status).toBe(200);
  });

  it('that hangs is not waited for', async () => {
    provider.treat('hang');
    const challenge = await service.challenge();
    const [code = ''] = codes();
    expect((await service.enterCode(challenge, code)).status).toBe(200);
  });

  it('that refuses the number is answered 503, and the operator sees why', async () => {
    provider.treat({ status: 400 });
    expect(outcome(await service.signIn())).toEqual([
      503,
      { error: { message: 'The text message could not be sent. Please try again.', code: 'unavailable' } },
    ]);
    expect(await service.directory.messages.pending()).toMatchObject([
      { channel: 'text', kind: 'code', state: 'failed', attempts: 1, lastError: 'http-400' },
    ]);
    expect(service.log.text()).not.toContain('2025550143');
  });

  it('whose messages wait gets none of an account that was removed', async () => {
    provider.treat({ status: 500 });
    await service.challenge();
    await service.directory.accounts.remove(ada);
    expect(await service.directory.messages.pending()).toEqual([]);
  });
});
