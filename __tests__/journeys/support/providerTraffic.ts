import type { BrowserContext, Request } from '@playwright/test';
import { googleRoutes, microsoftRoutes, microsoftTenantId, type ProviderName } from '@vestibule/local';
import type { LocalEnvironment } from './environment';

const authorizationPaths: Readonly<Record<ProviderName, string>> = {
  google: googleRoutes.authorization,
  microsoft: microsoftRoutes(microsoftTenantId).authorization,
};

/** What one browser sent to the providers, and their redirects back. */
export class ProviderTraffic {
  private readonly requests: Request[] = [];

  constructor(
    context: BrowserContext,
    private readonly environment: LocalEnvironment,
  ) {
    context.on('request', (request) => this.requests.push(request));
  }

  /** Every request of any page, in order. */
  all(): readonly Request[] {
    return this.requests;
  }

  /** The authorisation requests to a provider, in order. */
  authorizations(provider: ProviderName): readonly URL[] {
    const page = this.environment.origin(provider) + authorizationPaths[provider];
    return this.urls().filter(({ origin, pathname }) => origin + pathname === page);
  }

  /** The only authorisation request so far. @throws Error when there is none or another one. */
  authorization(provider: ProviderName): URL {
    return only(this.authorizations(provider));
  }

  /** The addresses to which the providers redirected a window back, in order. */
  returns(): readonly URL[] {
    const page = `${this.environment.origin('app')}/oauth-redirect`;
    return this.urls().filter(({ origin, pathname, search }) => origin + pathname === page && search !== '');
  }

  /** The code of the only redirect so far. @throws Error when there is none or another one. */
  code(): string {
    const code = only(this.returns()).searchParams.get('code');
    if (code === null) throw new Error('The provider sent no code.');
    return code;
  }

  private urls(): readonly URL[] {
    return this.requests.map((request) => new URL(request.url()));
  }
}

function only(urls: readonly URL[]): URL {
  const [url, ...more] = urls;
  if (url === undefined || more.length > 0) throw new Error(`There are ${String(urls.length)} of them.`);
  return url;
}
