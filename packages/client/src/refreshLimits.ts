/** Time between two polls of the cookies, ms. */
export const pollEveryMs = 5000;

/** Time between two polls while another page refreshes, ms. */
export const pollSoonMs = 300;

/** Whether the service refused a request: any 4xx but 408 and 429, which may be retried. */
export const isRefusalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
