import type { FastifyError } from 'fastify';
import type { FieldFault } from '../errors.ts';

/** With `verbose`, Ajv adds the schema of the violated rule and the tested value to each error. */
type Fault = NonNullable<FastifyError['validation']>[number] & {
  readonly schema?: unknown;
  readonly data?: unknown;
};

/** One branch of a `oneOf` in the contract. */
interface Form {
  readonly title: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly const?: unknown }>>;
}

const places: Readonly<Record<string, string>> = { body: 'body', params: 'path', querystring: 'query' };

/**
 * Describes, for the log, how a request violates the contract: the location and the rule, but neither the value (it
 * may be a password) nor a property name of the caller's.
 *
 * @param faults Ajv's errors, the first one of each branch.
 * @param dataVar the part of the request, as named by Fastify.
 */
export function describeFault(faults: readonly Fault[], dataVar: string): string {
  const where = places[dataVar] ?? dataVar;
  const fault = decisive(faults);
  if (fault === undefined) return `${where} breaks the contract`;
  const place = `${where}${fault.instancePath.replaceAll('/', '.')}`;
  switch (fault.keyword) {
    case 'oneOf': {
      const forms = formsOf(fault).map((form) => `${form.title} (${form.required.join(', ')})`);
      return `${place} must have one of these forms: ${forms.join('; ')}`;
    }
    case 'required':
      return `${place} must have the property ${String(fault.params['missingProperty'])}`;
    case 'additionalProperties':
      return `${place} has a property that this call does not take`;
    case 'pattern':
      return `${place} has characters, or an order of them, that are not allowed here`;
    default:
      return `${place} ${fault.message ?? 'breaks the contract'}`;
  }
}

/** The same for the server of an application, with the name of the property. */
export function faultOfField(faults: readonly Fault[]): FieldFault | null {
  const fault = decisive(faults);
  if (fault === undefined) return null;
  const { keyword, params, message = 'breaks the contract' } = fault;
  const path = fault.instancePath.split('/').slice(1);
  const fieldFault = (detail: string, ...below: readonly string[]): FieldFault => {
    const field = [...path, ...below].join('.');
    return field === '' ? { detail } : { field, detail };
  };
  switch (keyword) {
    case 'required':
      return fieldFault('is missing', String(params['missingProperty']));
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      // What is not like a name may be a value, which is never repeated.
      return /^[a-z]\w{0,31}$/i.test(name)
        ? fieldFault('is not known', name)
        : fieldFault('has a property that is not known');
    }
    case 'enum':
      return fieldFault(`must be one of ${[params['allowedValues']].flat().join(', ')}`);
    default:
      return fieldFault(message);
  }
}

/** The error that explains the others. */
function decisive(faults: readonly Fault[]): Fault | undefined {
  const union = faults.find((fault) => fault.keyword === 'oneOf');
  return union === undefined ? faults[0] : (faultOfMeantForm(faults, union) ?? union);
}

/** The error in the branch of a union that the caller meant: the one whose required properties are all present. */
function faultOfMeantForm(faults: readonly Fault[], union: Fault): Fault | undefined {
  const { data } = union;
  if (typeof data !== 'object' || data === null) return undefined;
  const values = new Map<string, unknown>(Object.entries(data));
  const meant = formsOf(union).findIndex((form) =>
    form.required.every((name) => {
      const constant = form.properties[name]?.const;
      return values.has(name) && (constant === undefined || constant === values.get(name));
    }),
  );
  return faults.find((fault) => fault.schemaPath.startsWith(`${union.schemaPath}/${meant}/`));
}

function formsOf(union: Fault): readonly Form[] {
  const forms: unknown[] = Array.isArray(union.schema) ? union.schema : [];
  return forms.filter(isForm);
}

function isForm(form: unknown): form is Form {
  return (
    typeof form === 'object' && form !== null && 'title' in form && 'required' in form && 'properties' in form
  );
}
