import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parse } from 'yaml';
import { expect } from '@playwright/test';
import { controlClient, hostOf, originOf, type ControlClient, type HostRole } from '@vestibule/local';
import { requestOf, type EnvironmentAnswer, type EnvironmentRequest } from './request';

/** One call that reached the service. */
export type Call = Awaited<ReturnType<ControlClient['journal']>>[number];

const tokensSchema = v.object({ token: v.string(), refresh: v.string() });

/** Both tokens of a session. */
export type Tokens = v.InferOutput<typeof tokensSchema>;

/** Controls of the test's environment. */
export class LocalEnvironment {
  readonly reset: ControlClient['reset'];
  readonly fail: ControlClient['setFault'];
  readonly provider: ControlClient['setProvider'];
  readonly outbox: ControlClient['outbox'];
  readonly link: ControlClient['makeLink'];
  readonly account: ControlClient['putAccount'];
  readonly signInAs: ControlClient['signInAs'];
  /** Moves the service's time forward, ms; a page has its own clock. */
  readonly advance: ControlClient['clock']['advance'];
  private readonly control: ControlClient;

  constructor(readonly port: number) {
    this.control = controlClient(port);
    this.reset = this.control.reset;
    this.fail = this.control.setFault;
    this.provider = this.control.setProvider;
    this.outbox = this.control.outbox;
    this.link = this.control.makeLink;
    this.account = this.control.putAccount;
    this.signInAs = this.control.signInAs;
    this.advance = this.control.clock.advance;
  }

  /** Origin of a host, for example `http://login.payments.localhost:40123`. */
  origin(role: HostRole): string {
    return originOf(role, this.port);
  }

  async request(role: HostRole, request: EnvironmentRequest): Promise<EnvironmentAnswer> {
    return await requestOf(this.port, hostOf(role, this.port), request);
  }

  /**
   * The calls that reached the service, without preflights; `call` such as `POST /auth/v1/token` filters. Without it, those that a
   * signed-in page makes in the background, and those of the demo applications, are left out.
   */
  async calls(call?: string): Promise<readonly Call[]> {
    return (await this.control.journal()).filter(
      ({ method, path }) =>
        method !== 'OPTIONS' &&
        (call === undefined ? !background.has(`${method} ${path}`) : `${method} ${path}` === call),
    );
  }

  /** The bodies of the matching calls, in order. */
  async bodies(call: string): Promise<readonly unknown[]> {
    return (await this.calls(call)).map(({ body }) => body);
  }

  /** The link of the only mail to this address. */
  async mailedLink(to: string): Promise<string> {
    const mails = async () => (await this.outbox()).filter((message) => message.to === to);
    await expect.poll(async () => (await mails()).length, { message: 'mails sent' }).toBe(1);
    const link = /https?:\/\/\S+/.exec((await mails())[0]?.text ?? '');
    if (!link) throw new Error('The mail holds no link');
    return link[0];
  }

  /** A session from the service itself, as from an earlier visit; the journal does not contain it. */
  async tokensFor(username: string, password: string): Promise<Tokens> {
    const answer = await this.request('api', {
      method: 'POST',
      path: '/auth/v1/token',
      headers: { origin: this.origin('app') },
      body: { username, method: 'basic', password },
    });
    await this.control.clearJournal();
    return v.parse(tokensSchema, JSON.parse(answer.body));
  }
}

const contract = parse(readFileSync('packages/contract/openapi.yaml', 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly 'x-extension'?: string } }>>;
};
/** The paths at which extensions read, as sources of regular expressions. */
export const extensionReads: readonly string[] = Object.entries(contract.paths).flatMap(([path, { get }]) =>
  get?.['x-extension'] === undefined ? [] : [path.replace(/\{\w+\}/g, '[^/)]+')],
);
const background: ReadonlySet<string> = new Set([
  ...extensionReads.map((path) => `GET ${path}`),
  'GET /.well-known/jwks.json',
  'POST /auth/v1/devices/known',
  'POST /auth/v1/passkeys/sign-in/options',
  'POST /auth/v1/passkeys/add/options',
]);
