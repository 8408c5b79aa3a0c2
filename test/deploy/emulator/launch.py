"""Starts MiniStack with its defects mended: `python launch.py <port of AWS> <port of the REST API>`.

What is mended, and why, is in patches.py; each patch stops the start when MiniStack no longer has what it mends.
With AWS_ENDPOINT_URL_DYNAMODB the tables of a stack are made in that engine, which the functions then use.
"""

import asyncio
import os
import signal
import sys


async def serve(aws_port: int, api_port: int) -> None:
    from hypercorn.asyncio import serve as hypercorn_serve
    from hypercorn.config import Config

    import patches
    from ministack import app as ministack

    patches.apply()
    # Functions see this process's environment: the level is MiniStack's, not theirs.
    os.environ.pop("LOG_LEVEL", None)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    config = Config()
    config.bind = [f"127.0.0.1:{aws_port}", f"127.0.0.1:{api_port}"]
    config.keep_alive_timeout = 75
    config.accesslog = None
    config.graceful_timeout = 1
    edge = patches.ApiEdge(ministack.app, api_port)
    await hypercorn_serve(edge, config, shutdown_trigger=stop.wait)


if __name__ == "__main__":
    aws_port, api_port = (int(argument) for argument in sys.argv[1:3])
    os.environ["GATEWAY_PORT"] = str(aws_port)
    # MiniStack looks for its modules below the working directory, too.
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    asyncio.run(serve(aws_port, api_port))
