export { TwoStepSection, type TwoStepStatus } from './status/TwoStepSection';
