/** The address of the lists. */
export const accountActivity = '/account-activity';
