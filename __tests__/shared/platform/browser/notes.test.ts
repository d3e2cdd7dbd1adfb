import { createNotes } from '@shared/platform/browser/storage';

beforeEach(() => {
  localStorage.clear();
});

const local = () => createNotes(() => localStorage, 'payments-test-');

describe('a note', () => {
  it('is there for the next page, under the prefix of the deployment', () => {
    expect(local().write('clock-skew', '5000')).toBe(true);
    expect(local().read('clock-skew')).toBe('5000');
    expect(Object.keys(localStorage)).toEqual(['payments-test-clock-skew']);
    expect(createNotes(() => localStorage, 'other-').read('clock-skew')).toBeNull();
  });

  it('is gone when it is taken away', () => {
    local().write('clock-skew', '5000');
    expect(local().write('clock-skew', null)).toBe(true);
    expect(local().read('clock-skew')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('that another tab changed is read as it is now', () => {
    const [one, other] = [local(), local()];
    one.write('refresh-pause', '1 2');
    other.write('refresh-pause', '2 3');
    expect(one.read('refresh-pause')).toBe('2 3');
  });
});

describe('where the browser keeps nothing', () => {
  const refusing = (): Storage => {
    throw new DOMException('denied', 'SecurityError');
  };
  const full = (): Storage =>
    Object.assign(Object.create(Storage.prototype) as Storage, {
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });

  it.each([
    ['a blocked storage', refusing],
    ['a full one', full],
  ])('%s: a note lasts as long as the page, and no longer', (_name, storage) => {
    const notes = createNotes(storage, 'p-');
    expect(notes.read('redirects')).toBeNull();
    expect(notes.write('redirects', '1')).toBe(false);
    expect(notes.read('redirects')).toBe('1');
    notes.write('redirects', null);
    expect(notes.read('redirects')).toBeNull();
  });
});
