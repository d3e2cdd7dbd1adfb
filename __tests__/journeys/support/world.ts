import * as v from 'valibot';
import { expect } from '@playwright/test';
import type { FaultRule } from '../../../local/control/faults';
import { hostOf, originOf, type HostRole } from '../../../local/hosts';
import { linkOverHttpSchema, type LinkOverHttp, type LinkRequest } from '../../../local/links/linkRequest';
import { messagesSchema, type SentMessage } from '../../../local/outbox';
import type { BehaviourChange } from '../../../local/providers/behaviour';
import type { WorldAccount } from './accountOf';
import { requestOf, type WorldAnswer, type WorldRequest } from './request';

const entrySchema = v.object({
  id: v.number(),
  method: v.string(),
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  body: v.unknown(),
  status: v.nullable(v.number()),
  fault: v.nullable(v.string()),
});

/** One call that reached the service. */
export type Call = v.InferOutput<typeof entrySchema>;

const tokensSchema = v.object({ token: v.string(), refresh: v.string() });

/** Both tokens of a session. */
export type Tokens = v.InferOutput<typeof tokensSchema>;

/** The test's hands on its world. */
export class World {
  constructor(readonly port: number) {}

  /** Origin of a host, for example `http://login.payments.localhost:40123`. */
  origin(role: HostRole): string {
    return originOf(role, this.port);
  }

  async request(role: HostRole, request: WorldRequest): Promise<WorldAnswer> {
    return await requestOf(this.port, hostOf(role, this.port), request);
  }

  /** Accounts as ready-made, no sessions, lockouts or faults, providers that work, nothing asked yet. */
  async reset(): Promise<void> {
    await this.control('POST', '/reset');
  }

  /** Lets something go wrong from now on. */
  async fail(rule: FaultRule): Promise<void> {
    await this.control('POST', '/faults', rule);
  }

  /** Everything works again. */
  async heal(): Promise<void> {
    await this.control('DELETE', '/faults');
  }

  /** Makes something go wrong at a provider from now on, or gives its pages an opener policy. */
  async provider(change: BehaviourChange): Promise<void> {
    await this.control('POST', '/providers', change);
  }

  /** The calls that reached the service, preflights left out; `call` such as `POST /auth/v1/token` selects. */
  async calls(call?: string): Promise<readonly Call[]> {
    const { body } = await this.control('GET', '/journal');
    const { entries } = v.parse(v.object({ entries: v.array(entrySchema) }), JSON.parse(body));
    return entries.filter(
      ({ method, path }) => method !== 'OPTIONS' && (call === undefined || `${method} ${path}` === call),
    );
  }

  /** What the matching calls carried, in order. */
  async bodies(call: string): Promise<readonly unknown[]> {
    return (await this.calls(call)).map(({ body }) => body);
  }

  /** Text messages and mails that were sent, newest first. */
  async outbox(): Promise<readonly SentMessage[]> {
    const { body } = await this.control('GET', '/outbox');
    return v.parse(messagesSchema, JSON.parse(body)).messages;
  }

  /** A one-time link, as it would stand in a mail. */
  async link(request: LinkRequest): Promise<LinkOverHttp> {
    const { body } = await this.control('POST', '/links', request);
    return v.parse(linkOverHttpSchema, JSON.parse(body));
  }

  /** The link of the one mail that this person was sent. */
  async mailedLink(to: string): Promise<string> {
    const mails = async () => (await this.outbox()).filter((message) => message.to === to);
    await expect.poll(async () => (await mails()).length, { message: 'mails sent' }).toBe(1);
    const link = /https?:\/\/\S+/.exec((await mails())[0]?.text ?? '');
    if (!link) throw new Error('The mail holds no link');
    return link[0];
  }

  /** Adds an account, or changes one. */
  async account(account: WorldAccount): Promise<void> {
    await this.control('POST', '/accounts', account);
  }

  /** A session from the service itself, as an earlier visit would have left it; the journal does not show it. */
  async tokensFor(username: string, password: string): Promise<Tokens> {
    const answer = await this.request('api', {
      method: 'POST',
      path: '/auth/v1/token',
      headers: { origin: this.origin('app') },
      body: { username, method: 'basic', password },
    });
    await this.control('DELETE', '/journal');
    return v.parse(tokensSchema, JSON.parse(answer.body));
  }

  private async control(method: string, path: string, body?: unknown): Promise<WorldAnswer> {
    const answer = await this.request('control', { method, path, body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.body}`);
    return answer;
  }
}
