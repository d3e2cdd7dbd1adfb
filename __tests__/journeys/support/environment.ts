import * as v from 'valibot';
import { expect } from '@playwright/test';
import type { FaultRule } from '@vestibule/local';
import { hostOf, originOf, type HostRole } from '@vestibule/local';
import { linkOverHttpSchema, type LinkOverHttp, type LinkRequest } from '@vestibule/local';
import { messagesSchema, type SentMessage } from '@vestibule/local';
import type { BehaviourChange } from '@vestibule/local';
import type { EnvironmentAccount } from './accountOf';
import { requestOf, type EnvironmentAnswer, type EnvironmentRequest } from './request';

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

/** Controls of the test's environment. */
export class LocalEnvironment {
  constructor(readonly port: number) {}

  /** Origin of a host, for example `http://login.payments.localhost:40123`. */
  origin(role: HostRole): string {
    return originOf(role, this.port);
  }

  async request(role: HostRole, request: EnvironmentRequest): Promise<EnvironmentAnswer> {
    return await requestOf(this.port, hostOf(role, this.port), request);
  }

  /** Restores the ready-made accounts and providers; clears sessions, lockouts, faults and the journal. */
  async reset(): Promise<void> {
    await this.control('POST', '/reset');
  }

  /** Adds a fault. */
  async fail(rule: FaultRule): Promise<void> {
    await this.control('POST', '/faults', rule);
  }

  /** Removes all faults. */
  async clearFaults(): Promise<void> {
    await this.control('DELETE', '/faults');
  }

  /** Makes a provider misbehave from now on, or sets the opener policy of its pages. */
  async provider(change: BehaviourChange): Promise<void> {
    await this.control('POST', '/providers', change);
  }

  /**
   * The calls that reached the service, without preflights; `call` such as `POST /auth/v1/token` filters. Without it, those that a
   * signed-in page makes in the background are left out.
   */
  async calls(call?: string): Promise<readonly Call[]> {
    const { body } = await this.control('GET', '/journal');
    const { entries } = v.parse(v.object({ entries: v.array(entrySchema) }), JSON.parse(body));
    return entries.filter(
      ({ method, path }) =>
        method !== 'OPTIONS' && (call === undefined ? !isBackground(path) : `${method} ${path}` === call),
    );
  }

  /** The bodies of the matching calls, in order. */
  async bodies(call: string): Promise<readonly unknown[]> {
    return (await this.calls(call)).map(({ body }) => body);
  }

  /** Sent text messages and mails, newest first. */
  async outbox(): Promise<readonly SentMessage[]> {
    const { body } = await this.control('GET', '/outbox');
    return v.parse(messagesSchema, JSON.parse(body)).messages;
  }

  /** A one-time link, as in a mail. */
  async link(request: LinkRequest): Promise<LinkOverHttp> {
    const { body } = await this.control('POST', '/links', request);
    return v.parse(linkOverHttpSchema, JSON.parse(body));
  }

  /** The link of the only mail to this address. */
  async mailedLink(to: string): Promise<string> {
    const mails = async () => (await this.outbox()).filter((message) => message.to === to);
    await expect.poll(async () => (await mails()).length, { message: 'mails sent' }).toBe(1);
    const link = /https?:\/\/\S+/.exec((await mails())[0]?.text ?? '');
    if (!link) throw new Error('The mail holds no link');
    return link[0];
  }

  /** Adds or changes an account. */
  async account(account: EnvironmentAccount): Promise<void> {
    await this.control('POST', '/accounts', account);
  }

  /** A session from the service itself, as from an earlier visit; the journal does not contain it. */
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

  private async control(method: string, path: string, body?: unknown): Promise<EnvironmentAnswer> {
    const answer = await this.request('control', { method, path, body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.body}`);
    return answer;
  }
}

const isBackground = (path: string): boolean => /^\/auth\/v1\/(?:events|devices\/known)$/.test(path);
