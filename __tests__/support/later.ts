import { settle } from './openApp';

/** The next call is answered when the test resolves it. */
export function later<Answer, Args extends unknown[]>(call: jest.Mock<Promise<Answer>, Args>) {
  let resolve: (value: Answer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  call.mockReturnValueOnce(new Promise((...settlers) => ([resolve, reject] = settlers)));
  return {
    answer: async (value: Answer) => {
      resolve(value);
      await settle();
    },
    refuse: async (error: Error) => {
      reject(error);
      await settle();
    },
  };
}
