import * as v from 'valibot';
import type { ComponentType } from 'react';
import type { EventDetail } from './deps';

/** Makes what a feature shows of an event. @param schema - of the fields of the event that it adds */
export function eventDetail<Added extends object>(
  schema: v.GenericSchema<unknown, Added>,
  View: ComponentType<Added>,
): EventDetail {
  const read = (event: object): Added | null => {
    const result = v.safeParse(schema, event);
    return result.success ? result.output : null;
  };
  function Detail({ detail }: { readonly detail: object }) {
    const added = read(detail);
    return added && <View {...added} />;
  }
  return { read, Detail };
}
