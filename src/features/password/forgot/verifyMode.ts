/** Whether `/forgot-password` was reached from a verify-identity screen (decisions §9). */
export const isVerifyMode = (search: string): boolean => new URLSearchParams(search).get('mode') === 'verify';
