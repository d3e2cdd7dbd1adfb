/**
 * How many examples a property is tried with: all of them in `npm test -- --all`, a twentieth in `npm test`, which finds most faults
 * as well.
 *
 * @param all - for properties of 1000 examples and more
 */
export const examples = (all: number): number =>
  process.env['TEST_ALL'] === '1' ? all : Math.ceil(all / 20);
