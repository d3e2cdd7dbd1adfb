import type { Tables } from './core/database/tables.ts';
import { createAudit, type Audit, type AuditOrigin, type Notify } from './core/audit/audit.ts';
import { createClients } from './core/clients/clients.ts';
import { createBackground, type Background } from './platform/background.ts';
import { capabilities } from './capabilities.ts';
import type { Database } from './platform/database/connect.ts';
import type { Caller } from './platform/http/caller.ts';
import { createAttempts } from './core/limits/attempts.ts';
import { createMessages, type Messages } from './core/messages/messages.ts';
import { outboxLength, type RequestContent } from './core/messages/messageStore.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { traced } from './platform/metrics/traces.ts';
import { countedTexts } from './mfa/textCode.ts';
import { createProviderCalls } from './core/provider/providerCalls.ts';
import { createHashQueue, type HashQueue } from './platform/security/hashQueue.ts';
import { createPasswords, queuedPasswords } from './platform/security/passwords.ts';
import type { EncryptionKeys } from './core/keys/encryptionKeys.ts';
import type { SecretBox } from './platform/security/secretBox.ts';
import { createSignedTokens } from './core/keys/signedTokens.ts';
import type { SigningKeys } from './core/keys/signingKeys.ts';
import type { CallContext, ServiceContext } from './core/context.ts';
import type { ServiceSettings } from './core/settings/options.ts';
import { decorations, slots } from './slots.ts';

/**
 * How long after the arrival of a call, in ms, its response may wait for the outcome of a text message. A proxy tries
 * another process after 8 s.
 */
const maxResponseMs = 7_500;

interface Base {
  readonly settings: ServiceSettings;
  readonly database: Database<Tables>;
  readonly secretBox: SecretBox;
  readonly encryptionKeys: EncryptionKeys;
  readonly keys: SigningKeys;
  /** Whether this process should get calls. */
  readonly isReady: () => Promise<boolean>;
}

interface Created {
  readonly context: ServiceContext;
  /** The context of a call. @throws KeyFault without a signing key: no call uses anything up whose response cannot be signed. */
  readonly contextOf: (caller: Caller) => CallContext;
  readonly metrics: Metrics;
}

/** Creates the context of the operations. */
export async function createContext(base: Base): Promise<Created> {
  const { settings, database, secretBox, encryptionKeys, keys, isReady } = base;
  const { db } = database;
  const hashQueue = createHashQueue({ ...settings.passwordHash, ahead: 2 });
  // One additional hash at once, which shares a processor with the main queue and never waits for it.
  const oneMore = { ...settings.passwordHash, atOnce: 1 };
  const knownQueue = createHashQueue({ ...oneMore, ahead: 2 });
  const passwordsForKnown = createPasswords(oneMore);
  const metrics = createMetrics({
    auditEvents: slots.auditEvents,
    works: ['message', 'messages', ...capabilities.flatMap(({ works = [] }) => works)],
    channels: ['text', 'mail', ...[...slots.mailRequests, ...slots.posts].map(({ name }) => name)],
    hashQueues: [hashQueue, knownQueue],
    connections: database.connections,
    clockAheadSeconds: database.availability.clockAheadSeconds,
    isReady,
    outbox: () => outboxLength(db, settings.now()),
    texts: { counted: () => countedTexts(context), limit: settings.textLimits.all },
  });
  const background = createBackground(settings.logger, metrics.countBackgroundFailure);
  const { auditOf, messages } = createReports({
    ...{ settings, database, secretBox, background, metrics },
    contextLater: () => context,
  });
  const context: ServiceContext = {
    ...((await decorations({
      db,
      settings,
      slots,
      listen: database.listen,
      contextLater: () => context,
    })) as ServiceContext),
    db,
    slots,
    settings,
    passwords: createPasswords(settings.passwordHash),
    tokens: createSignedTokens({ keys, ...settings }),
    keys,
    clients: createClients({ db, settings }),
    attempts: createAttempts(db, settings.lockout, settings.now),
    providers: createProviderCalls(settings),
    secretBox,
    encryptionKeys,
    background,
    messages,
    language: undefined,
    audit: auditOf(),
  };
  for (const capability of capabilities) capability.metrics?.(metrics.registry, context);
  const isNeeded = () => hashQueue.load().waiting > 0;
  // Copied and then filled: a literal that replaces what it spreads costs 5 us more for each call.
  const blank = { ...context, network: '', knownCallerQueue: { isNeeded, passwords: passwordsForKnown } };
  const contextOf = (caller: Caller): CallContext => {
    keys.signer();
    const { network, device, language, arrived } = caller;
    const call: { -readonly [Key in keyof CallContext]: CallContext[Key] } = { ...blank };
    call.network = network;
    call.language = language;
    call.messages = {
      ...messages,
      write: (trx, message) =>
        messages.write(trx, message.channel === 'text' ? { ...message, language } : message),
      sendNow: (message) => messages.sendNow(message, arrived + maxResponseMs - performance.now()),
    };
    call.audit = auditOf({ network, device });
    call.passwords = queuedPasswords(context.passwords, queuedIn(metrics, hashQueue, caller), caller);
    call.knownCallerQueue = {
      isNeeded,
      passwords: queuedPasswords(passwordsForKnown, queuedIn(metrics, knownQueue, caller), caller),
    };
    return call;
  };
  return { context, contextOf, metrics };
}

/** The audit log and the outbox, which need each other: an entry may write a notice, and a request is recorded. */
function createReports({
  settings,
  database: { db },
  secretBox,
  background,
  metrics,
  contextLater,
}: Pick<Base, 'settings' | 'database' | 'secretBox'> & {
  readonly background: Background;
  readonly metrics: Metrics;
  readonly contextLater: () => ServiceContext;
}): {
  readonly auditOf: (origin?: AuditOrigin) => Audit;
  readonly messages: Messages;
} {
  const notifiers = slots.notifiers(settings);
  const notify: Notify = async (trx, entry, origin) => {
    const own = { ...contextLater(), db: trx };
    for (const tell of notifiers) await tell(own, entry, origin);
  };
  const auditOf = (origin?: AuditOrigin): Audit =>
    createAudit(settings, metrics, origin, notifiers.length === 0 ? undefined : notify);
  const messages = createMessages({
    db,
    settings,
    secretBox,
    background,
    onGivenUp: metrics.countGivenUp,
    posts: Object.fromEntries(
      slots.posts.map(({ name, handle }) => [
        name,
        // Only the owner of a channel writes to it, so the content has the type that its handler expects.
        (content, delivery) => handle(contextLater(), content as never, delivery),
      ]),
    ),
    onSent: (trx, uid, about) => slots.mailSent({ ...contextLater(), db: trx }, uid, about),
    requests: slots.mailRequests.map(({ name }) => name),
    onRequest: async (trx, { channel, content }) => {
      const request = slots.mailRequests.find(({ name }) => name === channel);
      const audit = auditOf((content as RequestContent).origin);
      return (await request?.handle({ ...contextLater(), db: trx, audit }, content as never)) ?? [];
    },
  });
  return { auditOf, messages };
}

/** Runs work in a queue of hashes, and measures how long it waits. */
const queuedIn =
  (metrics: Metrics, queue: HashQueue, caller: Caller) =>
  <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begin = metrics.timeHashWait();
    return traced('hash', {}, () =>
      queue.run(caller.network, caller, () => {
        begin();
        return work();
      }),
    );
  };
