export { default } from '@vestibule/service/testing/globalSetup';
