import {
  isGuessable,
  wordsOfDeployment,
  wordsOfPerson,
} from '../../src/password-check/guessablePasswords.ts';
import { linkSettings } from '../../src/core/settings/linkOptions.ts';
import { loginOrigin, issuer } from '../support/testService.ts';

const deployment = wordsOfDeployment({
  productName: 'Payments',
  passwordWords: ['Vestibule', 'e-Pay Öffice', 'Hub'],
  issuer,
  allowedOrigins: [loginOrigin, 'https://go.riverbank.example.com'],
  links: linkSettings(undefined, [loginOrigin]),
});
const person = wordsOfPerson({
  username: 'a.byron',
  email: 'countess+news@ockham.example',
  first_name: 'Ada',
  last_name: 'Løvelâce',
});
const words = [...deployment, ...person];

it.each<[string, string]>([
  ['Payments1', 'a label and one more'],
  ['Vestibule2026', 'a label and four more'],
  ['Payments-2026', 'a label and five more'],
  ['pAYMENTS-a1', 'another case'],
  ['P4ym3nt$!', 'digits and signs for letters'],
  ['Vest1bu1e9', 'one digit for i and for l'],
  ['Payménts1', 'accents, composed'],
  ['Payme\u0301nts1', 'accents, decomposed'],
  ['Ｐayments1', 'full-width letters'],
  ['1xPayments', 'a word at the end'],
  ['12Paymentsab', 'a word inside'],
  ['PaymentsPayments12', 'a word twice'],
  ['PaymentsVestibule12', 'two words'],
  ['Payments-Ada7', 'a label and a name'],
  ['Office-1234', 'a word of a label of several words'],
  ['Epayoffice1', 'a label without its signs'],
  ['Riverbank-1', 'part of a host name'],
  ['Login-2026', 'part of the address of the page'],
  ['A.byron-12', 'the username'],
  ['Countess-77', 'a part of the local part of the address'],
  ['Lovelace-1', 'the last name, without its accents'],
  ['Ada-1815', 'a first name of three letters'],
  ['AdaLovelace99', 'both names'],
])('%s is guessable: %s', (password) => {
  expect(isGuessable(password, words)).toBe(true);
});

it.each<[string, string]>([
  ['Payments-20267', 'six other characters'],
  ['Payments𝒳𝒳𝒳𝒳𝒳1', 'six other code points'],
  ['Paym-ents1', 'a word that is interrupted'],
  ['stnemyaP1', 'a word backwards'],
  ['PaymPaymentsents1', 'what is left around a word forms it again'],
  ['Hub-12ab', 'a word of the deployment of three letters'],
  ['Ockham-77', 'the domain of the address'],
  ['Front-door7', 'no word'],
  ['A\u0301\u0301\u0301b1\u0301\u0301\u0301', 'few letters, but no word'],
])('%s is not guessable: %s', (password) => {
  expect(isGuessable(password, words)).toBe(false);
});
