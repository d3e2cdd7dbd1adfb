/** Faults of the configuration block; the texts complete "Configuration key '…' …". */
const configMessages = {
  noBlock: (block: string): string => `The configuration block '${block}' is missing from the page`,
  noJson: (block: string): string => `The configuration block '${block}' is not valid JSON`,
  noObject: (block: string): string => `The configuration block '${block}' must be a JSON object`,
  missing: 'is missing',
  text: 'must be a string',
  filled: 'must not be empty',
  flag: 'must be true or false',
  seconds: 'must be a number of seconds',
  group: 'must be an object',
  list: 'must be a list',
  unknown: 'is not known',
  colour: "must be '#rrggbb' in quotes, or { light: '#rrggbb', dark: '#rrggbb' } with both",
  radius: 'must be a number from 0 to 24',
  look: "must be 'default' or 'epay'",
  sameSite: "must be 'Lax', 'Strict' or 'None'",
  oneTimeLinks: "must be 'auto' or 'click'",
  cookiePrefix: 'must consist of letters, digits, dots, hyphens and underscores',
  domain: 'must be a domain such as example.com',
  host: 'must be a host such as go.example.com:8443',
  hostPattern: 'must be a host, or a pattern such as *.example.com:8443',
  address: 'must be an absolute http(s) URL',
  noQuery: 'must not have a query or a fragment',
  origin: 'must be an origin such as https://login.example.com',
  tenantOnce: 'must contain {tenantId} once',
  tenantInPath: 'must be an absolute http(s) URL with {tenantId} in its path',
  email: 'must be an e-mail address',
  language: 'must be a language tag such as pt-BR',
  unfilled: "must be filled in by the service or by 'vestibule page': this page lacks its texts or its style",
  serviceHttps: 'must be an https URL, because signOnUrl is one: browsers block the calls otherwise',
  cookieDomain: 'must be the host of signOnUrl or a parent of it: browsers refuse the cookies otherwise',
  relyingParty: 'must be the host of signOnUrl or a parent of it: browsers refuse the passkeys otherwise',
} as const;

/** A fault of the block or of a key. */
export type ConfigFault = keyof typeof configMessages;

/** Why the configuration block was refused; its text is in `configMessages`. */
export interface ConfigRefusal {
  /** Dotted (`cookies.prefix`), or the block's own name if no single key is wrong. */
  readonly key: string;
  readonly fault: ConfigFault;
}

/** The text of a refusal. Not part of the first chunk, because only an invalid configuration needs it. */
export function describeRefusal({ key, fault }: ConfigRefusal): string {
  const words = configMessages[fault];
  return typeof words === 'string' ? `Configuration key '${key}' ${words}` : words(key);
}
