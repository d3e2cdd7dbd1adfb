import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { components } from './schema.gen.ts';
import { operationsOf, readContract } from './document.ts';

/** Validates requests and responses against the contract. */
export interface ContractChecker {
  /**
   * @param status HTTP status; if the contract does not name it, its range (`2XX`) or `default` applies.
   * @returns `null` for a valid body, otherwise a description of the first fault: its location and rule, without
   * values.
   */
  readonly faultInResponse: (operationId: string, status: number, body: unknown) => string | null;
  /** As `faultInResponse`, for a request body. A body is a fault if the contract has none. */
  readonly faultInRequest: (operationId: string, body: unknown) => string | null;
  /** As `faultInResponse`, for a value and a named schema of the contract. */
  readonly faultInSchema: (name: keyof components['schemas'], value: unknown) => string | null;
}

const contractId = 'https://contract.invalid/openapi';

/** Compiles the contract's schemas (JSON Schema 2020-12), each at its first use. */
export function createContractChecker(): ContractChecker {
  const document = readContract();
  const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats(ajv);
  ajv.addSchema(document, contractId);

  const validators = new Map<string, ValidateFunction>();

  const faultAgainst = (pointer: string, value: unknown): string | null => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${contractId}${pointer}` });
    // Ajv caches a schema by its identity: without this, each response would compile the schema again and leak
    // memory.
    validators.set(pointer, validate);
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath === '' ? 'body' : (error?.instancePath ?? 'body')} ${error?.message ?? 'is wrong'}`;
  };
  const find = (operationId: string) => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new Error(`The contract has no call ${operationId}.`);
    return operation;
  };

  return {
    faultInResponse: (operationId, status, body) => {
      const { responses } = find(operationId);
      const range = `${Math.floor(status / 100)}XX`;
      const response = responses[String(status)] ?? responses[range] ?? responses['default'];
      return response === undefined
        ? `status ${status} is not in the contract`
        : faultAgainst(response.schema, body);
    },
    faultInRequest: (operationId, body) => {
      const { requestSchema } = find(operationId);
      if (requestSchema !== null) return faultAgainst(requestSchema, body);
      return body === undefined ? null : 'the call has no body';
    },
    faultInSchema: (name, value) => faultAgainst(`#/components/schemas/${name}`, value),
  };
}
