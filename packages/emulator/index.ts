/**
 * Runs the stack of a cloud assembly on one machine: the public API of the package.
 *
 * Faults for tests are in `cloud-assembly-emulator/faults`, durable files in `cloud-assembly-emulator/files`.
 */

export { type Assembly, readAssembly } from './cloudformation/assembly.ts';
export { stackId } from './cloudformation/load-template.ts';
export type { AlarmChange } from './cloudwatch/alarms.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
export type { EventChaos } from './events/bus.ts';
export type { BusEvent, SentEvent } from './events/outbox.ts';
export { parseEventPattern } from './events/pattern.ts';
export type { InvokeFunction } from './lambda/invoke.ts';
export { readEmbeddedMetrics } from './logs/embedded-metrics.ts';
export { type PortName, type Ports, PortTaken, takePorts } from './ports.ts';
export type { AwsCall } from './protocols/calls.ts';
export { hostNamePattern } from './server/host.ts';
export { checkDeployment } from './services.ts';
export { type Clock, createClock } from './shared/clock.ts';
export { createDisposalStack, type DisposalStack } from './shared/disposal.ts';
export { StartProblem } from './shared/errors.ts';
export { fullDiskReason } from './shared/full-disk.ts';
export type { LogLine } from './shared/log.ts';
export type { Resource } from './shared/resource-type.ts';
