"""Test agents and their tools without a model, and hold knowledge bases to their contract.

script = Script(calls(ToolCall("lookup", {"word": "fingerpost"})), say("A signpost."))
with play(script) as session:
    ...  # point any OpenAI client or agent framework at session.base_url
assert session.transcript.answer == "A signpost."

class TestNotes(KnowledgeBaseContract):
    def make(self):
        return Notes(self.folder / "notes.db")
"""

from fingerpost_testing import contracts, scenarios
from fingerpost_testing.contracts import (
    DocumentStoreContract,
    KnowledgeBaseContract,
    WritableStoreContract,
    run_contract,
)
from fingerpost_testing.knowledge import MemoryKnowledgeBase
from fingerpost_testing.loop import Endpoint, LoopError, run_loop
from fingerpost_testing.messages import Message
from fingerpost_testing.scenarios import Expected, Scenario
from fingerpost_testing.script import (
    Fault,
    HangUp,
    Reply,
    Script,
    ScriptError,
    ToolCall,
    Turn,
    UnconsumedTurns,
    UnexpectedRequest,
    calls,
    fault,
    hang_up,
    say,
    slow,
)
from fingerpost_testing.server import ScriptedServer, play
from fingerpost_testing.session import Session
from fingerpost_testing.transcript import (
    OfferedTool,
    Request,
    ResultReader,
    Step,
    Transcript,
    explain_difference,
)

__all__ = [
    "DocumentStoreContract",
    "Endpoint",
    "Expected",
    "Fault",
    "HangUp",
    "KnowledgeBaseContract",
    "LoopError",
    "MemoryKnowledgeBase",
    "Message",
    "OfferedTool",
    "Reply",
    "Request",
    "ResultReader",
    "Scenario",
    "Script",
    "ScriptError",
    "ScriptedServer",
    "Session",
    "Step",
    "ToolCall",
    "Transcript",
    "Turn",
    "UnconsumedTurns",
    "UnexpectedRequest",
    "WritableStoreContract",
    "calls",
    "contracts",
    "explain_difference",
    "fault",
    "hang_up",
    "play",
    "run_contract",
    "run_loop",
    "say",
    "scenarios",
    "slow",
]
