import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type JsonObject = Readonly<Record<string, unknown>>;

const rateLimits = ['general', 'methods', 'tokens', 'secrets'] as const;

/** How often one client address may make a call; `openapi.yaml` explains each. */
export type RateLimit = (typeof rateLimits)[number];

/** One call of `openapi.yaml`. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** The path with placeholders such as `{uid}`. */
  readonly path: string;
  readonly needsBearer: boolean;
  /** The server of a registered client makes the call. */
  readonly needsClient: boolean;
  /** Its extension (docs/behaviour.md#extensions); `null` for the sixteen calls that every service has. */
  readonly extension: string | null;
  readonly rateLimit: RateLimit;
  /** The call may be repeated if it is unknown whether the first attempt was carried out. */
  readonly isRepeatable: boolean;
  /** A bearer of setup mode may make it. */
  readonly inSetupMode: boolean;
  /** Example values of the path parameters. */
  readonly pathExamples: Readonly<Record<string, string>>;
  /** JSON pointers of their schemas, and of the optional parameters of the query. */
  readonly pathSchemas: Readonly<Record<string, string>>;
  readonly querySchemas: Readonly<Record<string, string>>;
  /** Example request bodies by name; `null` when the call has no body. */
  readonly requestExamples: Readonly<Record<string, unknown>> | null;
  /** JSON pointers of the schemas: of the request (`null`: no body) and of the responses by status. */
  readonly requestSchema: string | null;
  readonly responses: Readonly<Record<string, ResponseForm>>;
  /** Its response is an event stream instead of JSON. */
  readonly isStream: boolean;
}

interface ResponseForm {
  /** The media type. */
  readonly type: string;
  readonly schema: string;
  readonly examples: JsonObject;
}

const eventStream = 'text/event-stream';

const file = new URL('../openapi.yaml', import.meta.url);
let contract: JsonObject | undefined;

/** The contract as plain data; a copy for each caller, because libraries modify schemas. */
export function readContract(): JsonObject {
  contract ??= asObject(parse(readFileSync(file, 'utf8')));
  return structuredClone(contract);
}

/** The schema at a JSON pointer, with all references resolved. */
export function schemaAt(document: JsonObject, pointer: string): JsonObject {
  return asObject(withoutReferences(document, resolve(document, pointer)));
}

function withoutReferences(document: JsonObject, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(document, item));
  if (!isObject(node)) return node;
  const reference = node['$ref'];
  if (typeof reference === 'string') return schemaAt(document, reference);
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, withoutReferences(document, part)]),
  );
}

/** Every call of the contract. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  return Object.entries(asObject(document['paths'])).flatMap(([path, item]) =>
    Object.entries(asObject(item)).map(([method, operation]) => {
      if (method !== 'get' && method !== 'post')
        throw new Error(`${path} has the method '${method}'; calls use GET and POST only.`);
      return readOperation(document, path, method, asObject(operation));
    }),
  );
}

/** The names of the contract's extensions, both those with calls and those that only add responses. */
export function extensionNames(): readonly string[] {
  const document = readContract();
  const responses = Object.values(asObject(asObject(document['components'])['responses'])).map(asObject);
  return [
    ...new Set([
      ...operationsOf(document).flatMap(({ extension }) => extension ?? []),
      ...responses.flatMap((one) => (typeof one['x-extension'] === 'string' ? one['x-extension'] : [])),
    ]),
  ];
}

function readOperation(
  document: JsonObject,
  path: string,
  method: 'get' | 'post',
  operation: JsonObject,
): Operation {
  const base = `#/paths/${escaped(path)}/${method}`;
  const body = operation['requestBody'];
  const requestMedia = body === undefined ? null : jsonMedia(asObject(body));
  const parameters = asArray(operation['parameters'] ?? []).map((given, index) => {
    const reference = asObject(given)['$ref'];
    const at = typeof reference === 'string' ? reference : `${base}/parameters/${index}`;
    return { one: asObject(resolve(document, at)), schema: `${at}/schema` };
  });
  const schemasOf = (place: 'path' | 'query'): Readonly<Record<string, string>> =>
    Object.fromEntries(
      parameters.flatMap(({ one, schema }) => (one['in'] === place ? [[String(one['name']), schema]] : [])),
    );
  const responses = asObject(operation['responses']);
  return {
    id: String(operation['operationId']),
    method,
    path,
    needsBearer: isSecuredBy(operation, 'bearer'),
    needsClient: isSecuredBy(operation, 'client'),
    extension: typeof operation['x-extension'] === 'string' ? operation['x-extension'] : null,
    rateLimit: readRateLimit(operation),
    isRepeatable: readRepeatable(operation),
    inSetupMode: operation['x-setup-mode'] === true,
    pathExamples: Object.fromEntries(
      parameters
        .filter(({ one }) => one['in'] === 'path')
        .map(({ one }) => [String(one['name']), String(one['example'])]),
    ),
    pathSchemas: schemasOf('path'),
    querySchemas: schemasOf('query'),
    requestExamples: requestMedia === null ? null : examplesOf(requestMedia),
    requestSchema: requestMedia === null ? null : `${base}/requestBody/content/application~1json/schema`,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        readResponse(document, `${base}/responses/${status}`, asObject(response)),
      ]),
    ),
    isStream: eventStream in asObject(asObject(responses['200'] ?? {})['content'] ?? {}),
  };
}

const isSecuredBy = (operation: JsonObject, scheme: string): boolean =>
  asArray(operation['security']).some((one) => scheme in asObject(one));

/** @throws Error for a call without a limit, so that none is added that checks a secret at the general limit by mistake. */
function readRateLimit(operation: JsonObject): RateLimit {
  const limit = rateLimits.find((name) => name === operation['x-rate-limit']);
  if (limit === undefined)
    throw new Error(`openapi.yaml: ${String(operation['operationId'])} has no x-rate-limit.`);
  return limit;
}

/** @throws Error for a call that does not state it, so that the decision is made for each. */
function readRepeatable(operation: JsonObject): boolean {
  const repeatable = operation['x-repeatable'];
  if (typeof repeatable === 'boolean') return repeatable;
  throw new Error(`openapi.yaml: ${String(operation['operationId'])} has no x-repeatable.`);
}

function readResponse(document: JsonObject, pointer: string, response: JsonObject): ResponseForm {
  const reference = response['$ref'];
  if (typeof reference === 'string')
    return readResponse(document, reference, asObject(resolve(document, reference)));
  const [[type, media] = ['', {}]] = Object.entries(asObject(response['content']));
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  return { type, schema, examples: examplesOf(asObject(media)) };
}

function resolve(document: JsonObject, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((node, step) => propertyOf(node, unescaped(step)), document);
}

function jsonMedia(part: JsonObject): JsonObject {
  return asObject(asObject(part['content'])['application/json']);
}

function examplesOf(media: JsonObject): JsonObject {
  const examples = asObject(media['examples']);
  return Object.fromEntries(Object.entries(examples).map(([name, one]) => [name, asObject(one)['value']]));
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function propertyOf(node: unknown, step: string): unknown {
  return Array.isArray(node) ? asArray(node)[Number(step)] : asObject(node)[step];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error('openapi.yaml: an object was expected.');
  return value;
}

function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('openapi.yaml: a list was expected.');
  return value;
}
