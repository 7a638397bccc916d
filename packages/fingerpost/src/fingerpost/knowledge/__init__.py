"""Knowledge bases: what they declare, and the tools over several of them."""
