import type { Page, Route } from '@playwright/test';
import type { LocalEnvironment } from '../environment';
import { extensionCalls, revoke, type ServiceCall } from './calls';
import type { FaultyResponse, Fault } from './faults';

/** A call that a fault applies to, from when it is made until it is answered. */
export interface AppliedFault {
  /** How many of these calls the page has made. */
  readonly count: () => number;
  /** Applies the fault, now and from now on. */
  readonly release: () => void;
}

interface Rule {
  readonly call: ServiceCall;
  readonly answer: FaultyResponse;
  readonly released: Promise<void>;
  count: number;
}

/** The service as the test defines it: inside the browser, with the headers that let the login host read its answers. */
export class FaultyService {
  /** Calls for which no response was prepared. */
  readonly unexpectedCalls: string[] = [];
  private applied: Rule | null = null;
  private readonly healthy = new Map<ServiceCall, unknown>(
    [revoke, ...Object.values(extensionCalls)].map((call) => [call, call.right]),
  );

  private constructor(private readonly origin: string) {}

  /** Replaces the service from now on, for all calls of the page. */
  static async inPlaceOf(environment: LocalEnvironment, page: Page): Promise<FaultyService> {
    const service = new FaultyService(environment.origin('app'));
    await page.route(
      (url) => url.origin === environment.origin('api'),
      async (route) => {
        await service.handle(route);
      },
    );
    return service;
  }

  /** Answers this call correctly, or with another valid answer, unless a fault applies to it. */
  prepare(call: ServiceCall, answer: unknown = call.right): void {
    this.healthy.set(call, answer);
  }

  /** All prepared calls work again. */
  clearFault(): void {
    this.applied = null;
  }

  /** Applies the fault to this call, replacing an earlier one. */
  applyFault(call: ServiceCall, { answer }: Pick<Fault, 'answer'>): AppliedFault {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const rule: Rule = { call, answer: answer(call), released, count: 0 };
    this.applied = rule;
    return { count: () => rule.count, release };
  }

  private async handle(route: Route): Promise<void> {
    const { applied } = this;
    if (applied && isFor(applied.call, route)) {
      applied.count += 1;
      await applied.released;
      await this.answer(route, applied.answer);
      return;
    }
    const prepared = [...this.healthy].find(([call]) => isFor(call, route));
    if (!prepared) this.unexpectedCalls.push(`${route.request().method()} ${route.request().url()}`);
    const body = JSON.stringify(prepared?.[1] ?? null);
    await this.answer(route, { status: prepared ? 200 : 501, type: 'application/json', body });
  }

  private async answer(route: Route, answer: FaultyResponse): Promise<void> {
    if (answer === 'nothing') return;
    if (answer === 'reset') {
      await route.abort('connectionreset');
      return;
    }
    const { status, type, body, retryAfter } = answer;
    await route.fulfill({
      status,
      body,
      contentType: `${type}; charset=utf-8`,
      headers: {
        'Access-Control-Allow-Origin': this.origin,
        'Access-Control-Expose-Headers': 'Retry-After',
        Vary: 'Origin',
        ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      },
    });
  }
}

function isFor({ method, path }: ServiceCall, route: Route): boolean {
  const request = route.request();
  return request.method() === method && path.test(new URL(request.url()).pathname);
}
