import * as z from 'zod/mini';
import { permissions } from '../../domain/access/permission.ts';
import { visibleLine } from '../../domain/kernel/visible-line.ts';

export const ApiKeyName = z.string().check(z.overwrite(visibleLine), z.minLength(1), z.maxLength(100));
export const ApiKeyPermissions = z.array(z.enum(permissions)).check(z.minLength(1));
