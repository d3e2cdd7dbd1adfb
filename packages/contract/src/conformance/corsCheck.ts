import { Fault, type Check } from './checks.ts';

/** Checks that pages of a login origin may call the service. */
export function corsCheck(baseUrl: string, origin: string): Check {
  return {
    call: 'createToken',
    rule: 'a page of the login origin may call it',
    run: async () => {
      const response = await fetch(`${baseUrl}/auth/v1/token`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
      const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
      if (response.headers.get('access-control-allow-origin') !== origin) {
        throw new Fault('Access-Control-Allow-Origin is not the origin');
      }
      for (const name of ['authorization', 'content-type']) {
        if (!allowed.includes(name)) throw new Fault(`Access-Control-Allow-Headers lacks ${name}`);
      }
    },
  };
}
