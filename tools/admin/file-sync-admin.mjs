#!/usr/bin/env node
import { startTool } from '../generate/start-tool.mjs';

await startTool('admin');
