import * as v from 'valibot';

/**
 * What goes wrong with a matching call.
 *
 * - `delay`: answered as usual, `ms` milliseconds late.
 * - `down`: the connection is dropped before it reaches the service.
 * - `answer`: this status and body instead of the service's; the request does not reach it.
 * - `html`: a page with status 200, as a proxy or a captive portal gives.
 * - `lost`: the service does its work, the response is dropped on the way.
 */
const faultSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('delay'), ms: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  v.strictObject({ kind: v.literal('down') }),
  v.strictObject({
    kind: v.literal('answer'),
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    body: v.unknown(),
    headers: v.optional(v.record(v.string(), v.string()), {}),
  }),
  v.strictObject({ kind: v.literal('html') }),
  v.strictObject({ kind: v.literal('lost') }),
]);

/** The calls that a fault affects. Every given field must match. `path` may be a prefix that ends in `*`. */
const ruleSchema = v.strictObject({
  method: v.optional(v.string()),
  path: v.optional(v.string()),
  username: v.optional(v.string()),
  /** How many calls it affects; without it, every one until it is cleared. */
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  fault: faultSchema,
});

/** One thing that goes wrong. */
export type Fault = v.InferOutput<typeof faultSchema>;
/** A fault and the calls that it affects. */
export type FaultRule = v.InferInput<typeof ruleSchema>;

/** What a rule is compared with. */
interface FaultyCall {
  readonly method: string;
  /** Path with query, as it arrived. */
  readonly path: string;
  readonly body: unknown;
}

/** The faults that are set at the moment; the first that matches is the one that happens. */
export interface Faults {
  /** @throws ValiError when the rule is not one. */
  readonly set: (rule: unknown) => void;
  readonly clear: () => void;
  /** The fault that affects this call, or `null`; counts down the `times` of its rule. */
  readonly take: (call: FaultyCall) => Fault | null;
}

/** An empty set of faults. */
export function createFaults(): Faults {
  let rules: { readonly rule: v.InferOutput<typeof ruleSchema>; left: number }[] = [];
  return {
    set: (input) => {
      const rule = v.parse(ruleSchema, input);
      rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
    },
    clear: () => {
      rules = [];
    },
    take: (call) => {
      const hit = rules.find(({ rule, left }) => left > 0 && matches(rule, call));
      if (hit === undefined) return null;
      hit.left -= 1;
      return hit.rule.fault;
    },
  };
}

function matches(rule: v.InferOutput<typeof ruleSchema>, call: FaultyCall): boolean {
  const { method, path, username } = rule;
  if (method !== undefined && method.toUpperCase() !== call.method) return false;
  if (path?.endsWith('*') === true && !call.path.startsWith(path.slice(0, -1))) return false;
  if (path !== undefined && !path.endsWith('*') && path !== call.path) return false;
  return username === undefined || username === usernameOf(call);
}

/** The username that a call is about: in its body, or the last segment of the methods call. */
function usernameOf({ path, body }: FaultyCall): string | null {
  if (typeof body === 'object' && body !== null && 'username' in body && typeof body.username === 'string') {
    return body.username;
  }
  const segment = /^\/auth\/v1\/method\/([^/?]+)/.exec(path)?.[1];
  if (segment === undefined) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
