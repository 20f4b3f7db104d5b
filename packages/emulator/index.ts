/**
 * Runs the stack of a cloud assembly on one machine: the public API of the package.
 *
 * Faults for tests are in `cloud-assembly-emulator/faults`, durable files in `cloud-assembly-emulator/files`.
 */

export type { AwsServices } from './aws-services.ts';
export { type Assembly, readAssembly } from './cloudformation/assembly.ts';
export { loadTemplate, stackId } from './cloudformation/load-template.ts';
export type { AlarmChange } from './cloudwatch/alarms.ts';
export type { MetricData } from './cloudwatch/metric-store.ts';
export type { Emulator, EmulatorOptions } from './emulator.ts';
export type { EventChaos } from './events/bus.ts';
export type { BusEvent, SentEvent } from './events/outbox.ts';
export { parseEventPattern } from './events/pattern.ts';
export type { InvokeFunction } from './lambda/invoke.ts';
export { readEmbeddedMetrics } from './logs/embedded-metrics.ts';
export { checkDeployment } from './policies.ts';
export { type PortName, type Ports, PortTaken, takePorts } from './ports.ts';
export type { AwsCall } from './protocols/calls.ts';
export { resourceTypes } from './resource-types.ts';
export { hostNamePattern } from './server/host.ts';
export { type Clock, createClock } from './shared/clock.ts';
export { type Closers, createClosers } from './shared/closers.ts';
export { diskReason } from './shared/disk-trouble.ts';
export { StartProblem } from './shared/errors.ts';
export type { LogLine } from './shared/log.ts';
export type { Resource } from './shared/resource-type.ts';
export { startEmulator } from './start-emulator.ts';
