// The functions that ApplyDdl() calls, one for each DDL statement. The files of planner/ddl/ implement them.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"

namespace widerow::ddl {

Result<DdlResult> Apply(const CreateKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const AlterKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const CreateTableStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const AlterTableStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropTableStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const CreateTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const AlterTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropTypeStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const CreateIndexStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropIndexStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const CreateMaterializedViewStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context);
Result<DdlResult> Apply(const DropMaterializedViewStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context);
Result<DdlResult> Apply(const AlterMaterializedViewStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context);
Result<DdlResult> Apply(const DropFunctionStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const CreateTableGroupStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropTableGroupStatement& statement, const SchemaPtr& schema, const DdlContext& context);
Result<DdlResult> Apply(const DropTriggerStatement& statement, const SchemaPtr& schema, const DdlContext& context);

}  // namespace widerow::ddl
